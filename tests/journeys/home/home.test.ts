import { beforeAll, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { delayRequests, gotoLive, letReactRender, PHONE, stopClock } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const today = Temporal.Now.plainDateISO('Europe/Rome');
const inRome = (day: Temporal.PlainDate, plainTime: string) =>
  day.toZonedDateTime({ timeZone: 'Europe/Rome', plainTime }).toInstant().toString();
/** The page's clock, early on this day: the server refuses a day that is not near its own. The past date is a year earlier. */
const THIS_MORNING = inRome(today, '00:30');
const A_YEAR_AGO = inRome(today.subtract({ years: 1 }), '00:10');
const MOVING = { reducedMotion: 'no-preference' } as const;

describe('home and our story', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  beforeAll(async () => {
    const stars = { title: 'Shooting stars', category: 'Outdoor' as const };
    const date = await completeDate(us.ada, {
      idea: stars,
      at: A_YEAR_AGO,
      minutes: 90,
      location: 'On the dyke',
      notes: 'One blanket for two.',
    });
    for (const seed of [1, 2, 3, 4, 5]) await addPhoto(us.ada, date.id, seed, `Star ${seed}`);
    await planDate(us.ben, {
      idea: { title: 'The slow lunch' },
      // Still three days ahead when the last test runs.
      at: Date.now() + 3 * DAY + HOUR,
      location: 'By the sea',
    });
  });

  it('shows the date of a year ago, with a link to do it again', { tags: ['home.dashboard.15'] }, async () => {
    const page = await us.openAs(us.ben);
    await page.clock.setFixedTime(THIS_MORNING);
    await page.goto('/dashboard');
    const recalled = page.getByRole('region', { name: 'A year ago today' });
    await recalled.getByRole('heading', { name: 'Shooting stars' }).waitFor();
    for (const text of ['1 hour 30 minutes', 'On the dyke', 'One blanket for two.']) {
      await recalled.getByText(text, { exact: true }).waitFor();
    }
    await expect.poll(() => recalled.locator('img').count()).toBe(5);
    await recalled.getByRole('link', { name: 'Do it again' }).click();
    await page.waitForURL(/\/date-ideas\/[^/]+\/plan$/);
  });

  it('has the year ago below the newest memories on a wide screen, and at the end on a phone', {
    tags: ['home.dashboard.16'],
  }, async () => {
    for (const viewport of [PHONE.viewport, { width: 1280, height: 800 }, { width: 1920, height: 1080 }]) {
      const page = await us.open({ viewport });
      await page.clock.setFixedTime(THIS_MORNING);
      await page.goto('/dashboard');
      const boxOf = async (name: string) => {
        const region = page.getByRole('region', { name });
        await region.waitFor();
        const box = await region.boundingBox();
        if (!box) throw new Error(`${name} has no box`);
        return box;
      };
      await page.getByRole('region', { name: 'A year ago today' }).getByRole('link', { name: 'Do it again' }).waitFor();
      const [past, recent, next, reached] = [
        await boxOf('A year ago today'),
        await boxOf('Recent Memories'),
        await boxOf('Our Next Date'),
        await boxOf('Latest Achievement'),
      ];
      expect(past.y).toBeGreaterThan(recent.y + recent.height);
      if (viewport.width < 992) {
        expect(past.y).toBeGreaterThan(reached.y + reached.height);
        continue;
      }
      expect(past.x).toBe(recent.x);
      expect(reached.x).toBe(next.x);
      expect(past.x).toBeGreaterThan(next.x + next.width);
    }
  });

  it('changes the message every three seconds, until it is paused', { tags: ['home.dashboard.5'] }, async () => {
    const page = await us.open(MOVING);
    await page.clock.install();
    await page.goto('/dashboard');
    const message = page.locator('main .felt').first();
    await message.waitFor();
    // From here on, the test controls the page's clock.
    await stopClock(page);
    const after = async (ms: number) => {
      await letReactRender(page);
      await page.clock.runFor(ms);
      await letReactRender(page);
      return message.innerText();
    };
    const seen = [await after(0)];
    let shown = await after(100);
    for (let step = 1; step < 30 && shown === seen[0]; step += 1) shown = await after(100);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(seen).not.toContain(shown);
      seen.push(shown);
      expect(await after(2800)).toBe(shown);
      shown = await after(200);
    }
    expect(seen).not.toContain(shown);
    await page.getByRole('button', { name: 'Pause' }).click();
    const held = await after(0);
    await page.mouse.move(1, 1);
    expect(await after(9000)).toBe(held);
  });

  it('asks once if the session takes long to renew, and shows what the partner changes right after', {
    tags: ['home.dashboard.3'],
  }, async () => {
    const { ada, ben } = await registerCouple(us.app);
    const page = await us.openAs(ada);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor();
    await delayRequests(page, '**/api/auth/renew', 500);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/PlannedDates/next')) asked += 1;
    });
    await gotoLive(page, '/dashboard');
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor();
    expect(asked).toBe(1);
    await planDate(ben, { idea: { title: 'The slow lunch' }, at: Date.now() + DAY });
    await page.getByRole('heading', { name: 'The slow lunch' }).waitFor();
  });

  it('shows the statistics, and filters them by period without another request', {
    tags: ['stats.screen.7', 'stats.screen.9'],
  }, async () => {
    const page = await us.open();
    await page.goto('/stats');
    await page.getByText('1 beautiful date', { exact: true }).first().waitFor();
    await page.getByText('5 precious memories').waitFor();
    await page.getByRole('progressbar', { name: 'First Date' }).waitFor();
    await page.getByText('Forever counting ∞').waitFor();
    await expectNoViolations(page);
    const rows = page.getByRole('table', { name: 'Hours per period' }).getByRole('rowheader');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['This month', 'Last month', 'This year', 'Last year']);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'This Month' }).click();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['This month']);
    // Celebrations are loaded once the page is idle.
    const statistics = requests.filter((path) => path.startsWith('/api/Stats') && path !== '/api/Stats/celebrations');
    expect(statistics).toEqual([]);
  });
});
