import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { setServerTime } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize, setReducedMotion } from '../../../../tests/support/screen-issues.ts';
import {
  address,
  advance,
  type Couple,
  clickAtOnce,
  registerUs,
  show,
  textsOf,
  uploadPhoto,
} from '../../../../tests/support/screens.tsx';
import { MINUTE } from '../../../base/durations.ts';
import type { PlannedDate } from '../../../dates/contract.ts';

const NOW = Date.parse('2026-12-12T19:00:00Z');
const PAGES = ['The opening', 'The months', 'The longest date', 'The places', 'The photographs', 'See you next year'];

let us: Couple;
let longest: PlannedDate;
beforeAll(async () => {
  setServerTime(NOW);
  us = await registerUs();
  const stars = { title: 'Stars over the river', category: 'Outdoor' as const };
  const april = await completeDate(us.ada, {
    idea: stars,
    at: '2026-04-18T19:00:00Z',
    minutes: 125,
    location: 'Lungarno',
  });
  const may = await completeDate(us.ben, {
    idea: stars,
    at: '2026-05-02T19:00:00Z',
    minutes: 60,
    location: 'lungarno',
  });
  longest = await completeDate(us.ada, {
    idea: { title: 'Two days in Arezzo' },
    at: '2026-10-17T09:00:00Z',
    minutes: 1_825,
    location: 'Arezzo',
  });
  await uploadPhoto(us.ada, april.id, 1, 'It smelled of April');
  await uploadPhoto(us.ben, may.id, 2);
  await uploadPhoto(us.ada, longest.id, 3, 'Before the bakery opened');
  // A year with one short date, no place and no photograph.
  await completeDate(us.ada, { idea: stars, at: '2024-08-01T19:00:00Z', minutes: 1 });
});
beforeEach(async () => {
  await page.viewport(1280, 800);
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const shown = (name: string) => page.getByRole('region', { name, exact: true });
const next = page.getByRole('button', { name: 'Next page' });
async function isAt(place: string): Promise<void> {
  await expect.element(page.getByRole('img', { name: place, exact: true })).toBeVisible();
}

/** Opens the story of 2026. It listens to keys a moment after it is shown. */
async function open(): Promise<void> {
  await show('/stats/2026', us.ada);
  await isAt('Page 1 of 6');
  await expect
    .poll(async () => {
      await userEvent.keyboard('{ArrowRight}');
      return page.getByRole('img', { name: 'Page 2 of 6' }).elements();
    })
    .not.toEqual([]);
  while (page.getByRole('img', { name: 'Page 1 of 6' }).elements().length === 0) await turn('{ArrowLeft}');
}

/** Presses a key, and waits until the page shows what follows. */
async function turn(key: string): Promise<void> {
  await userEvent.keyboard(key);
  for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
}

describe('our year, page by page', () => {
  it('is linked from the statistics, and shows what we kept', { tags: ['stats.year.4'] }, async () => {
    await show('/stats', us.ada);
    await page.getByRole('link', { name: 'Our year 2026' }).click();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Our year 2026' })).toBeVisible();
    const opening = shown('The opening');
    await expect.element(opening.getByText('Three dates, thirty-three hours, three photographs.')).toBeVisible();
    await expect.element(opening.getByText('Ada & Ben')).toBeVisible();
    await next.click();
    const months = shown('The months');
    await expect.element(months.getByRole('heading', { name: 'October held us longest' })).toBeVisible();
    await expect.element(months.getByText('Thirty hours, on one date.')).toBeVisible();
    await next.click();
    const date = shown('The longest date');
    await expect.element(date.getByRole('heading', { name: 'Two days in Arezzo' })).toBeVisible();
    await expect.element(date.getByRole('link', { name: 'View memory: Before the bakery opened' })).toBeVisible();
    await next.click();
    const places = shown('The places');
    await expect.element(places.getByRole('heading', { name: 'Lungarno, again and again' })).toBeVisible();
    expect(textsOf(places.getByRole('listitem'))).toEqual(['Lungarno 2 dates', 'Arezzo 1 date']);
    await next.click();
    await expect.element(shown('The photographs').getByText('Three photographs')).toBeVisible();
    await next.click();
    const free = shown('See you next year').getByText('There is still a page free for December 31.');
    await expect.element(free).toBeVisible();
    await isAt('Page 6 of 6');
    await expect.element(next).toBeDisabled();
    await page.getByRole('button', { name: 'Start again' }).click();
    await isAt('Page 1 of 6');
  });

  it('is turned by arrow keys, taps and swipes, and left by Escape and the cross', {
    tags: ['stats.year.5'],
  }, async () => {
    await open();
    await turn('{ArrowLeft}');
    await isAt('Page 1 of 6');
    const pages = page.elementLocator(document.querySelector('main > [role=presentation]') as Element);
    const { width, height } = pages.element().getBoundingClientRect();
    await pages.click({ position: { x: width * 0.45, y: height * 0.9 } });
    await isAt('Page 2 of 6');
    await pages.click({ position: { x: width * 0.15, y: height * 0.9 } });
    await isAt('Page 1 of 6');
    await userEvent.dragAndDrop(pages, pages, {
      sourcePosition: { x: width * 0.45, y: height * 0.9 },
      targetPosition: { x: width * 0.3, y: height * 0.9 },
    });
    await isAt('Page 2 of 6');
    // A press on a link follows it, and does not turn the page.
    await turn('{ArrowRight}');
    await shown('The longest date').getByRole('link', { name: 'View Details' }).click();
    await expect.poll(address).toBe(`/planned-dates/${longest.id}`);
    await open();
    await userEvent.keyboard('{Escape}');
    await expect.poll(address).toBe('/stats');
    await open();
    await page.getByRole('button', { name: 'Close, back to Our Story' }).click();
    await expect.poll(address).toBe('/stats');
  });

  it('leaves out the pages of which a thin year has nothing', { tags: ['stats.year.4'] }, async () => {
    await show('/stats/2024', us.ada);
    await isAt('Page 1 of 3');
    const opening = shown('The opening').getByText('One date, one minute. This is what we kept.');
    await expect.element(opening).toBeVisible();
    await next.click();
    await expect.element(shown('The longest date').getByText('Our date')).toBeVisible();
    await next.click();
    await expect.element(shown('See you next year').getByText('One date to come back to.')).toBeVisible();
  });

  it('says that a year has no story', { tags: ['stats.year.4'] }, async () => {
    await show('/stats/2023', us.ada);
    const heading = page.getByRole('heading', { level: 1, name: 'A year still to be written' });
    await expect.element(heading).toBeVisible();
    await page.getByRole('link', { name: 'Back to Our Story' }).click();
    await expect.poll(address).toBe('/stats');
  });

  it('is saved as a picture of what we choose', { tags: ['stats.year.6'] }, async () => {
    await open();
    for (let n = 0; n < 5; n += 1) await next.click();
    const files: Blob[] = [];
    const createUrl = URL.createObjectURL.bind(URL);
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return createUrl(file);
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    /** Saves the picture. Returns the mean of each of its colors. */
    const save = async (...unchecked: string[]) => {
      await page.getByRole('button', { name: 'Save as a picture' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save as a picture' });
      for (const name of unchecked) await dialog.getByRole('checkbox', { name }).click();
      const button = dialog.getByRole('button', { name: 'Save', exact: true });
      await expect.element(button).not.toHaveAttribute('aria-busy');
      await button.click();
      await expect.element(dialog).not.toBeInTheDocument();
      expect(names.pop()).toBe('our-year-2026.png');
      const file = files.pop() as Blob;
      expect(file.type).toBe('image/png');
      const image = await createImageBitmap(file);
      expect([image.width, image.height]).toEqual([1080, 1920]);
      return meansOf(image);
    };
    const all = await save();
    const bare = await save('Our names', 'A photograph', 'Hours and dates', 'The longest date');
    // With nothing but the year, nearly all of it is light paper.
    for (const [index, mean] of bare.entries()) {
      expect(mean).toBeGreaterThan(225);
      expect(mean).toBeGreaterThan((all[index] ?? 0) + 3);
    }
  });

  it('is printed with all of its pages and photographs', { tags: ['stats.year.6'] }, async () => {
    await open();
    const loaded: string[] = [];
    vi.spyOn(window, 'print').mockImplementation(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('main img')];
      loaded.push(`${images.filter((image) => image.complete && image.naturalWidth > 0).length} of ${images.length}`);
    });
    for (let n = 0; n < 5; n += 1) await next.click();
    await page.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => loaded).toEqual(['6 of 6']);
    await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
    for (const name of PAGES) await expect.element(shown(name)).toBeVisible();
    const buttons = [...document.querySelectorAll('main button')].filter((one) => one.checkVisibility());
    expect(buttons).toEqual([]);
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
    await setReducedMotion(true);
  });

  it('fits phones and desktops in both schemes, and axe finds nothing', { tags: ['stats.year.7'] }, async () => {
    await open();
    const found: string[] = [];
    for (let place = 1; place <= PAGES.length; place += 1) {
      await isAt(`Page ${place} of 6`);
      found.push(...(await findIssuesAtEverySize(`page ${place}`)));
      for (const width of [992, 1012, 1024]) {
        await page.viewport(width, 800);
        await turn('{Shift}');
        expect(document.documentElement.scrollWidth - innerWidth).toBeLessThanOrEqual(0);
      }
      if (place < PAGES.length) await next.click();
    }
    await page.getByRole('button', { name: 'Save as a picture' }).click();
    await expect.element(page.getByRole('img', { name: 'Preview: our year 2026' })).toBeVisible();
    found.push(...(await findIssuesAtEverySize('the picture')));
    expect(found).toEqual([]);
  });

  it('is offered on the dashboard in December', { tags: ['home.dashboard.20'] }, async () => {
    await show('/dashboard', us.ada);
    await page.getByRole('link', { name: 'Open our year' }).click();
    await isAt('Page 1 of 6');
  });
});

describe('the turning of our year', () => {
  afterEach(() => setReducedMotion(true));
  const play = page.getByRole('button', { name: 'Play' });
  const pause = page.getByRole('button', { name: 'Pause' });
  const freeze = () => vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] });

  it('goes on by itself until a press', { tags: ['stats.year.5'] }, async () => {
    await setReducedMotion(false);
    await show('/stats/2026', us.ada);
    await pause.click();
    while (page.getByRole('img', { name: 'Page 1 of 6' }).elements().length === 0) await turn('{ArrowLeft}');
    freeze();
    clickAtOnce(play);
    await advance(6_000);
    expect(page.getByRole('img', { name: 'Page 1 of 6' }).elements()).toHaveLength(1);
    await advance(1_000);
    expect(page.getByRole('img', { name: 'Page 2 of 6' }).elements()).toHaveLength(1);
    await userEvent.keyboard('{ArrowRight}');
    await isAt('Page 3 of 6');
    await expect.element(play).toBeVisible();
    await advance(MINUTE);
    await isAt('Page 3 of 6');
  });

  it('never happens with reduced motion', { tags: ['stats.year.5'] }, async () => {
    freeze();
    await show('/stats/2026', us.ada);
    await isAt('Page 1 of 6');
    await advance(MINUTE);
    await isAt('Page 1 of 6');
    expect(page.getByRole('button', { name: /Play|Pause/ }).elements()).toEqual([]);
  });
});

/** The mean of red, green and blue of a picture. */
function meansOf(image: ImageBitmap): number[] {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) for (const color of [0, 1, 2]) sums[color]! += data[at + color]!;
  return sums.map((sum) => sum / (data.length / 4));
}
