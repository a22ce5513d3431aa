import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/time.ts';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { letReactRender } from '../../support/browser.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const NOW = Date.parse('2026-12-12T19:00:00Z');

describe('our year, page by page', () => {
  const us = useCouple({ now: () => NOW });
  let longest: PlannedDate;
  beforeAll(async () => {
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
    await addPhoto(us.ada, april.id, 1, 'It smelled of April');
    await addPhoto(us.ben, may.id, 2);
    await addPhoto(us.ada, longest.id, 3, 'Before the bakery opened');
    // A year with one short date, no place and no photograph.
    await completeDate(us.ada, { idea: stars, at: '2024-08-01T19:00:00Z', minutes: 1 });
  });

  const open = async (path = '/stats/2026', options: Parameters<typeof us.open>[0] = {}) => {
    const page = await us.open(options);
    await page.clock.setFixedTime(NOW);
    await page.goto(path);
    return page;
  };
  const shown = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const isAt = async (page: Page, text: string) => {
    await page.getByRole('img', { name: text, exact: true }).waitFor();
    // A page that has just opened listens to keys a moment after it is shown.
    await letReactRender(page);
  };

  it('is linked from the statistics, and shows what we kept', { tags: ['stats.year.4'] }, async () => {
    const page = await open('/stats');
    await page.getByRole('link', { name: 'Our year 2026' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our year 2026' }).waitFor();
    await shown(page, 'The opening').getByText('Three dates, thirty-three hours, three photographs.').waitFor();
    await shown(page, 'The opening').getByText('Ada & Ben').waitFor();
    const next = page.getByRole('button', { name: 'Next page' });
    await next.click();
    await shown(page, 'The months').getByRole('heading', { name: 'October held us longest' }).waitFor();
    await shown(page, 'The months').getByText('Thirty hours, on one date.').waitFor();
    await next.click();
    await shown(page, 'The longest date').getByRole('heading', { name: 'Two days in Arezzo' }).waitFor();
    await shown(page, 'The longest date')
      .getByRole('link', { name: 'View memory: Before the bakery opened' })
      .waitFor();
    await next.click();
    await shown(page, 'The places').getByRole('heading', { name: 'Lungarno, again and again' }).waitFor();
    const places = shown(page, 'The places').getByRole('listitem');
    await expect.poll(() => places.allTextContents()).toEqual(['Lungarno 2 dates', 'Arezzo 1 date']);
    await next.click();
    await shown(page, 'The photographs').getByText('Three photographs').waitFor();
    await next.click();
    await shown(page, 'See you next year').getByText('There is still a page free for December 31.').waitFor();
    await isAt(page, 'Page 6 of 6');
    await expect.poll(() => next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Start again' }).click();
    await isAt(page, 'Page 1 of 6');
  });

  it('is turned by arrow keys, taps and swipes, and left by Escape and the cross', {
    tags: ['stats.year.5'],
  }, async () => {
    const page = await open();
    await isAt(page, 'Page 1 of 6');
    await page.keyboard.press('ArrowRight');
    await isAt(page, 'Page 2 of 6');
    await page.keyboard.press('ArrowLeft');
    await isAt(page, 'Page 1 of 6');
    await page.keyboard.press('ArrowLeft');
    await isAt(page, 'Page 1 of 6');
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.mouse.click(width * 0.45, height * 0.8);
    await isAt(page, 'Page 2 of 6');
    await page.mouse.click(width * 0.15, height * 0.8);
    await isAt(page, 'Page 1 of 6');
    await page.mouse.move(width * 0.45, height * 0.8);
    await page.mouse.down();
    await page.mouse.move(width * 0.3, height * 0.8, { steps: 5 });
    await page.mouse.up();
    await isAt(page, 'Page 2 of 6');
    // A press on a link follows it, and does not turn the page.
    await page.keyboard.press('ArrowRight');
    await shown(page, 'The longest date').getByRole('link', { name: 'View Details' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/planned-dates/${longest.id}`);
    await page.goBack();
    await isAt(page, 'Page 1 of 6');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/stats');
    await page.goBack();
    await page.getByRole('button', { name: 'Close, back to Our Story' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/stats');
  });

  it('turns by itself until a press', { tags: ['stats.year.5'] }, async () => {
    const page = await us.open({ reducedMotion: 'no-preference' });
    await page.clock.install({ time: NOW });
    await page.goto('/stats/2026');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.clock.pauseAt(NOW + MINUTE);
    // Playing again starts the page's time again, at this moment of the page's clock.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    while (!(await page.getByRole('img', { name: 'Page 1 of 6' }).isVisible())) await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.clock.runFor(6_900);
    await isAt(page, 'Page 1 of 6');
    await page.clock.runFor(200);
    await isAt(page, 'Page 2 of 6');
    await page.keyboard.press('ArrowRight');
    await isAt(page, 'Page 3 of 6');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.clock.runFor(60_000);
    await isAt(page, 'Page 3 of 6');
  });

  it('never turns by itself with reduced motion', { tags: ['stats.year.5'] }, async () => {
    const page = await us.open({ reducedMotion: 'reduce' });
    await page.clock.install({ time: NOW });
    await page.goto('/stats/2026');
    await isAt(page, 'Page 1 of 6');
    await page.clock.runFor(60_000);
    await isAt(page, 'Page 1 of 6');
    expect(await page.getByRole('button', { name: /Play|Pause/ }).count()).toBe(0);
  });

  it('leaves out the pages of which a thin year has nothing', { tags: ['stats.year.4'] }, async () => {
    const page = await open('/stats/2024');
    await isAt(page, 'Page 1 of 3');
    await shown(page, 'The opening').getByText('One date, one minute. This is what we kept.').waitFor();
    await page.keyboard.press('ArrowRight');
    await shown(page, 'The longest date').getByText('Our date').waitFor();
    await page.keyboard.press('ArrowRight');
    await shown(page, 'See you next year').getByText('One date to come back to.').waitFor();
  });

  it('says that a year has no story', { tags: ['stats.year.4'] }, async () => {
    const page = await open('/stats/2023');
    await page.getByRole('heading', { level: 1, name: 'A year still to be written' }).waitFor();
    await page.getByRole('link', { name: 'Back to Our Story' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/stats');
  });

  it('is saved as a picture of what we choose', { tags: ['stats.year.6'] }, async () => {
    const page = await open();
    await isAt(page, 'Page 1 of 6');
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowRight');
    const save = async (...unchecked: string[]) => {
      await page.getByRole('button', { name: 'Save as a picture' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save as a picture' });
      for (const name of unchecked) await dialog.getByRole('checkbox', { name }).uncheck();
      const button = dialog.getByRole('button', { name: 'Save', exact: true });
      await expect.poll(() => button.getAttribute('aria-busy')).toBeNull();
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
      await dialog.waitFor({ state: 'hidden' });
      expect(file.suggestedFilename()).toBe('our-year-2026.png');
      const image = sharp(await readFile(await file.path()));
      expect(await image.metadata()).toMatchObject({ format: 'png', width: 1080, height: 1920 });
      const { channels } = await image.stats();
      return channels.slice(0, 3).map(({ mean }) => mean);
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
    const page = await open();
    await isAt(page, 'Page 1 of 6');
    await page.evaluate(() => {
      window.print = () => {
        const images = [...document.querySelectorAll<HTMLImageElement>('main img')];
        document.title = `${images.filter((image) => image.complete && image.naturalWidth > 0).length} of ${images.length}`;
      };
    });
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => page.title()).toBe('6 of 6');
    await page.emulateMedia({ media: 'print' });
    const names = [
      'The opening',
      'The months',
      'The longest date',
      'The places',
      'The photographs',
      'See you next year',
    ];
    for (const name of names) await shown(page, name).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('fits phones and desks in both schemes, without a fault that axe finds', { tags: ['stats.year.7'] }, async () => {
    const page = await open('/stats/2026');
    const found: string[] = [];
    for (let place = 1; place <= 6; place += 1) {
      await isAt(page, `Page ${place} of 6`);
      found.push(...(await findIssuesAtEverySize(page, `page ${place}`)));
      for (const width of [992, 1012, 1024]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
      await page.keyboard.press('ArrowRight');
    }
    await page.getByRole('button', { name: 'Save as a picture' }).click();
    await page.getByRole('img', { name: 'Preview: our year 2026' }).waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'the picture')));
    expect(found).toEqual([]);
  });

  it('is offered on the dashboard from December 10 on', { tags: ['home.dashboard.20'] }, async () => {
    const page = await open('/dashboard');
    await page.getByRole('link', { name: 'Open our year' }).click();
    await isAt(page, 'Page 1 of 6');
  });
});
