import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { setReducedMotion } from '../../../../tests/support/screen-issues.ts';
import {
  address,
  advance,
  type Couple,
  clickAtOnce,
  registerUs,
  show,
  uploadPhoto,
} from '../../../../tests/support/screens.tsx';
import type { PlannedDate } from '../../../dates/contract.ts';

const slides = () => page.getByRole('dialog', { name: 'Slideshow' });
const caption = () => slides().element().querySelector<HTMLElement>('.felt')?.innerText;

afterEach(async () => {
  vi.useRealTimers();
  await setReducedMotion(true);
});

describe('the slideshow', () => {
  let us: Couple;
  let date: PlannedDate;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    date = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    // Forty, more than the first page of the list. The newest is 'Photo 40'.
    for (let n = 1; n <= 40; n += 1) await uploadPhoto(us.ada, date.id, n, `Photo ${n}`);
  });

  const click = (name: string) => slides().getByRole('button', { name, exact: true }).click();

  it('opens at the viewed memory, plays, and can be paused', {
    tags: ['memories.slideshow.1', 'memories.slideshow.2', 'memories.slideshow.4'],
  }, async () => {
    await setReducedMotion(false);
    await show('/memories', us.ada);
    const view = page.getByRole('button', { name: 'View: Photo 39', exact: true });
    await expect.element(view).toBeVisible();
    // Only the test advances the page's clock, so the slide stays until the test has seen it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clickAtOnce(view);
    await expect.poll(caption).toBe('Photo 39');
    await expect.element(slides().getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect
      .poll(async () => {
        await advance(4000);
        return caption();
      })
      .not.toBe('Photo 39');
    await userEvent.keyboard(' ');
    await expect.element(slides().getByRole('button', { name: 'Play' })).toBeVisible();
    const stopped = caption();
    await advance(20_000);
    await click('Play');
    await expect.element(slides().getByRole('button', { name: 'Pause' })).toBeVisible();
    expect(caption()).toBe(stopped);
  });

  it('opens at the memory in a link, wherever it is, and removes it from the address when closed', {
    tags: ['home.dashboard.18'],
  }, async () => {
    const { body } = await us.ada.call('GET /api/Memories', { query: { count: '500' } });
    const oldest = body.find(({ caption }) => caption === 'Photo 1');
    for (const list of ['', '&sort=size', `&dateId=${date.id}`]) {
      await show(`/memories?memory=${oldest?.id}${list}`, us.ada);
      await expect.poll(caption).toBe('Photo 1');
      await click('Close');
      await expect.element(slides()).not.toBeInTheDocument();
      await expect.poll(() => location.search.includes('memory=')).toBe(false);
    }
    // After a reload it opens there again, and the deletion doesn't close it.
    const gone = await uploadPhoto(us.ada, date.id, 41, 'Photo 41');
    await show(`/memories?memory=${gone.id}`, us.ada);
    await expect.poll(caption).toBe('Photo 41');
    await show(address(), us.ada);
    await expect.poll(caption).toBe('Photo 41');
    await click('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(caption).toBe('Photo 40');
    expect(page.getByText('This memory is no longer in our album.').elements()).toEqual([]);

    await show(`/memories?memory=${gone.id}`, us.ada);
    await expect.element(page.getByRole('alert').getByText('This memory is no longer in our album.')).toBeVisible();
    await expect.poll(() => location.search).toBe('');
    expect(slides().elements()).toEqual([]);
  });

  it('opens from the dashboard, the year-ago card and a date’s details', { tags: ['home.dashboard.18'] }, async () => {
    const at = `${Temporal.Now.plainDateISO('Europe/Rome').subtract({ years: 1 }).toString()}T12:00:00Z`;
    const past = await completeDate(us.ada, { idea: { title: 'A long walk' }, at, minutes: 60 });
    await uploadPhoto(us.ada, past.id, 50, 'Frost');
    onTestFinished(async () => void (await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id: past.id } })));
    for (const [path, name, photo] of [
      ['/dashboard', 'Recent Memories', 'Photo 39'],
      ['/dashboard', 'A year ago today', 'Frost'],
      [`/planned-dates/${date.id}`, 'Memories', 'Photo 39'],
    ] as const) {
      await show(path, us.ada);
      await page.getByRole('region', { name, exact: true }).getByRole('link', { name: photo }).click();
      await expect.poll(caption).toBe(photo);
      await expect.poll(() => location.pathname).toBe('/memories');
      history.back();
      await expect.element(page.getByRole('region', { name, exact: true })).toBeVisible();
    }
  });

  it('does not autoplay with reduced motion', { tags: ['memories.slideshow.2'] }, async () => {
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.element(slides().getByRole('button', { name: 'Play' })).toBeVisible();
  });

  it('wraps around in both directions, by buttons and by keys', {
    tags: ['memories.slideshow.5', 'memories.slideshow.6'],
  }, async () => {
    await page.viewport(360, 780);
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(caption).toBe('Photo 40');
    await expect.element(slides().getByText('1 / 40')).toBeVisible();
    await click('Previous');
    await expect.poll(caption).toBe('Photo 1');
    await expect.element(slides().getByText('40 / 40')).toBeVisible();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(caption).toBe('Photo 2');
    await userEvent.keyboard('{ArrowRight}');
    await click('Next');
    await expect.poll(caption).toBe('Photo 40');
    await userEvent.keyboard('{Escape}');
    await expect.element(slides()).not.toBeInTheDocument();
  });

  it('reaches every memory, including those not loaded yet', { tags: ['memories.slideshow.5'] }, async () => {
    await show('/memories?sort=date-asc', us.ada);
    await page.getByRole('button', { name: 'View: Photo 1', exact: true }).click();
    for (let n = 1; n <= 40; n += 1) {
      await expect.poll(caption).toBe(`Photo ${n}`);
      await userEvent.keyboard('{ArrowRight}');
    }
    await expect.poll(caption).toBe('Photo 1');
  });

  it('scrolls its strip by 200 px, and opens the pressed thumbnail', { tags: ['memories.slideshow.11'] }, async () => {
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    const third = slides().getByRole('button', { name: '3 of 40', exact: true });
    const left = () =>
      [...slides().element().querySelectorAll('*')].find((one) => one.scrollWidth > one.clientWidth + 300)?.scrollLeft;
    await third.click();
    await expect.poll(caption).toBe('Photo 38');
    await expect.element(third).toHaveAttribute('aria-current', 'true');
    // For a moment, the strip centers the slide again when a thumbnail is measured, such as one that is scrolled to.
    // It measures in frames and timers, which end when its position stays.
    const positions: unknown[] = [];
    await expect.poll(() => positions.push(left()) > 20 && new Set(positions.slice(-20)).size).toBe(1);
    const before = left() ?? 0;
    await click('Scroll right');
    await expect.poll(left).toBe(before + 200);
    await click('Scroll left');
    await expect.poll(left).toBe(before);
  });

  it('preloads the next six pictures', { tags: ['memories.slideshow.10'] }, async () => {
    // Of photographs that this browser has never fetched.
    const { ada } = await registerUs();
    const { id } = await completeDate(ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    for (let n = 1; n <= 9; n += 1) await uploadPhoto(ada, id, n);
    performance.clearResourceTimings();
    const fetched = () =>
      performance.getEntriesByType('resource').filter(({ name }) => name.includes('size=preview')).length;
    await show('/memories', ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(fetched).toBe(7);
  });
});

describe('deleting in the slideshow', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await uploadPhoto(us.ada, date.id, 1, 'First');
    await uploadPhoto(us.ada, date.id, 2, 'Last');
  });

  it('continues with the next memory, and closes after the last', {
    tags: ['memories.slideshow.7', 'memories.slideshow.8'],
  }, async () => {
    const question = page.getByRole('alertdialog');
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.element(slides().getByText('Last')).toBeVisible();
    await slides().getByRole('button', { name: 'Delete' }).click();
    await expect.element(question.getByText('Are you sure you want to delete this memory?')).toBeVisible();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.element(slides().getByText('First')).toBeVisible();
    await expect.element(slides().getByText('1 / 1')).toBeVisible();
    await slides().getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.element(slides()).not.toBeInTheDocument();
    await expect.element(page.getByText('No memories yet!')).toBeVisible();
  });
});

describe('a slideshow that closes after a deletion', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await uploadPhoto(us.ada, date.id, 1, 'Left');
    await uploadPhoto(us.ada, date.id, 2, 'Right');
  });

  it('still offers to undo it, also when it closes by itself', { tags: ['memories.slideshow.8'] }, async () => {
    const deleteShown = async () => {
      await slides().getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    };
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'View: Right', exact: true }).click();
    await expect.element(slides().getByText('Right')).toBeVisible();
    await deleteShown();
    await expect.element(slides().getByText('1 / 1')).toBeVisible();
    await slides().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('2 memories found')).toBeVisible();
    await expect.element(page.getByRole('status').filter({ hasText: 'Memory deleted.' })).not.toBeInTheDocument();

    await page.getByRole('button', { name: 'Delete: Right' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.element(page.getByText('1 memory found')).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await page.getByRole('button', { name: 'View: Left', exact: true }).click();
    await deleteShown();
    await expect.element(slides()).not.toBeInTheDocument();
    await expect.element(page.getByText('No memories yet!')).toBeVisible();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('1 memory found')).toBeVisible();
  });
});
