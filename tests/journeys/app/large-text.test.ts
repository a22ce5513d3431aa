import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import type { DateIdea } from '../../../src/ideas/contract.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** How much wider than the window each of these screens is, in pixels, as 'path: 12'. Empty if all of them fit. */
async function tooWide(page: Page, screens: readonly string[], sizes: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of screens) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' });
    await expect.poll(() => loading.count()).toBe(0);
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 800 });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (excess > 0) found.push(`${path} at ${width}: ${excess}`);
    }
  }
  return found;
}

const screensOf = (idea: DateIdea, date: PlannedDate, coming: PlannedDate) => [
  '/dashboard',
  '/date-ideas',
  '/date-ideas/add',
  `/date-ideas/${idea.id}/edit`,
  `/date-ideas/${idea.id}/plan`,
  '/planned-dates',
  `/planned-dates/${date.id}`,
  `/planned-dates/${coming.id}`,
  `/planned-dates/${coming.id}/edit`,
  '/memories',
  '/memories/upload',
  '/stats',
  `/stats/${date.plannedDateTime.slice(0, 4)}`,
  '/settings',
];

describe('text of twice the size (WCAG 1.4.4, 1.4.10)', () => {
  const us = useCouple({ args: ['--blink-settings=defaultFontSize=32'] });

  it('makes no screen scroll sideways on a phone', { tags: ['screens.words.4'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Flower market, then soup', category: 'Food' });
    const date = await completeDate(us.ada, { idea: idea.id, at: '2026-11-20T14:00:00Z', minutes: 2_125 });
    for (const seed of [1, 2, 3, 4]) await addPhoto(us.ada, date.id, seed, 'It smelled of April all the way');
    const coming = await planDate(us.ada, { idea: idea.id, location: 'Piazza Sant’Agostino', notes: 'Dress warmly' });
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: idea.id } });
    const page = await us.open(PHONE);
    const running = await startDate(us.ada, { idea: idea.id, location: 'Piazza Sant’Agostino' });
    const ofRunning = ['now', 'complete'].map((page) => `/planned-dates/${running.id}/${page}`);
    const screens = [...screensOf(idea, date, coming), ...ofRunning];
    expect(await tooWide(page, screens, [360, 412])).toEqual([]);
    await page.goto('/planned-dates');
    const ticket = page.getByRole('article').filter({ hasText: 'Dress warmly' });
    // The stub lies on top, so that the words have the width of the page.
    const share = await ticket.evaluate((paper) => {
      const heading = paper.querySelector('h3, h2') as Element;
      return heading.getBoundingClientRect().width / paper.getBoundingClientRect().width;
    });
    expect(share).toBeGreaterThan(0.7);
  });
});
