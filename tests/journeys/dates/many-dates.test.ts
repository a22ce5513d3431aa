import type { Locator, Page } from 'playwright-core';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/base/durations.ts';
import type { CoupleId } from '../../../src/base/ids.ts';
import type { Partner } from '../../support/partner.ts';
import type { TestApp } from '../../support/test-app.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

const IDEAS = 1000;
const DATES = 3000;

/** Lists with 1,000 ideas and 3,000 dates. */
describe('lists with thousands of entries', () => {
  const now = Date.parse('2026-11-21T11:00:00Z');
  const us = useCouple({ now: () => now });
  beforeAll(async () => {
    await liveLong(us.app, us.ada);
  });

  const open = async () => {
    const page = await us.open(DESKTOP);
    await page.clock.setFixedTime(now);
    return page;
  };
  /** Waits until a card stays in place for 10 frames: the list moves while it measures new cards, and a click would miss. */
  const settle = (card: Locator) =>
    card.evaluate(async (element) => {
      let top = Number.NaN;
      for (let still = 0; still < 10; ) {
        await new Promise(requestAnimationFrame);
        const now = element.getBoundingClientRect().top;
        still = now === top ? still + 1 : 0;
        top = now;
      }
    });
  const cards = (page: Page) => page.getByRole('article').count();

  it('render only a few cards, show their number, and scroll to the last', { tags: ['dates.list.18'] }, async () => {
    const page = await open();
    for (const [path, summary, last, setSize] of [
      ['/date-ideas', '1000 ideas found', 'Idea 0999', IDEAS],
      ['/planned-dates', '3000 dates found', 'Idea 0999', DATES],
    ] as const) {
      await page.goto(path);
      await page.getByText(summary).waitFor();
      await page.getByRole('article').first().waitFor();
      await expect.poll(() => page.getByRole('listitem').first().getAttribute('aria-setsize')).toBe(String(setSize));
      expect(await cards(page)).toBeLessThan(60);
      const end = page.locator(`[aria-posinset="${setSize}"]`).filter({ hasText: last });
      // Heights of cards not yet rendered are estimated, so the end may move.
      await expect
        .poll(async () => {
          await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
          return end.count();
        })
        .toBe(1);
      expect(await cards(page)).toBeLessThan(60);
    }
  });

  it('search, filter and sort like short ones', async () => {
    const page = await open();
    await page.goto('/date-ideas');
    await page.getByText('1000 ideas found').waitFor();
    await page.getByRole('searchbox').fill('0777');
    await page.getByText('1 idea found for "0777"').waitFor();
    await expect.poll(() => page.getByRole('article').getByRole('heading').allInnerTexts()).toEqual(['Idea 0777']);
    await page.goto('/planned-dates');
    await page.getByRole('tab', { name: /^Upcoming 10$/ }).click();
    await page.getByText('10 dates found').waitFor();
    await expect.poll(() => cards(page)).toBe(10);
    await page.getByRole('tab', { name: /^Completed 2990$/ }).click();
    await page.getByLabel('Sort').selectOption('Date (Latest First)');
    await page.getByText('2990 dates found').waitFor();
    await page.getByRole('article').first().getByText('23 hours ago').waitFor();
  });

  it('keep their scroll position', { tags: ['dates.list.18'] }, async () => {
    const page = await open();
    await page.goto('/planned-dates?filter=completed');
    await page.getByText('2990 dates found').waitFor();
    await page.getByRole('article').first().waitFor();
    await expect.poll(() => page.getByRole('listitem').first().getAttribute('aria-setsize')).toBe('2990');
    const position = '2000';
    const card = page.locator(`[aria-posinset="${position}"]`);
    // The browser scrolls to it once it is rendered.
    await expect
      .poll(async () => {
        await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), 2000 / 2990);
        return card.count();
      })
      .toBe(1);
    await card.scrollIntoViewIfNeeded();
    const title = await card.getByRole('heading').innerText();
    await settle(card);
    await card.getByRole('link', { name: 'View Details' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goBack();
    await card.getByRole('heading', { name: title }).waitFor();
    // Allow a small difference for estimated heights.
    const inSight = () =>
      card.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > 0 && top < innerHeight ? 'in sight' : `from ${top} to ${bottom}, of ${innerHeight}`;
      });
    await expect.poll(inSight).toBe('in sight');
  });
});

/** Adds ten upcoming dates and many past ones, for a thousand ideas. */
async function liveLong(app: TestApp, { user }: Partner): Promise<void> {
  const coupleId = user.couple.id as CoupleId;
  const then = Date.parse('2026-01-01T00:00:00Z');
  const stamps = { createdAt: then, updatedAt: then, version: 1, deletedAt: null };
  const ideas = Array.from({ length: IDEAS }, (_, index) => ({
    coupleId,
    id: uuidv7(),
    title: `Idea ${String(index).padStart(4, '0')}`,
    description: 'As long as it takes.',
    category: 'Outdoor' as const,
    isActive: 1,
    ...stamps,
  }));
  const dates = Array.from({ length: DATES }, (_, index) => {
    // Newest first: ten upcoming dates, then one per day going back.
    const ahead = 10 - index;
    const at = Date.parse('2026-11-21T11:00:00Z') + (ahead > 0 ? ahead : ahead - 1) * DAY;
    const over = ahead <= 0;
    return {
      coupleId,
      id: uuidv7(),
      ideaId: ideas[(DATES - 1 - index) % IDEAS]?.id ?? '',
      plannedDateTime: at,
      status: over ? ('Completed' as const) : ('Planned' as const),
      endDateTime: null,
      location: 'At home',
      notes: null,
      actualStartTime: over ? at : null,
      actualEndTime: over ? at + HOUR : null,
      ...stamps,
      deletedBy: null,
    };
  });
  await app.db.write(async (tx) => {
    for (let from = 0; from < IDEAS; from += 500)
      await tx
        .insertInto('ideas')
        .values(ideas.slice(from, from + 500))
        .execute();
    for (let from = 0; from < DATES; from += 500)
      await tx
        .insertInto('dates')
        .values(dates.slice(from, from + 500))
        .execute();
  });
}
