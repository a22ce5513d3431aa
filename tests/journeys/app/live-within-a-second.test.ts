import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea } from '../../support/factories.ts';
import { stopClock } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';

/**
 * The page's clock is paused and advanced by the test, which measures how long the page itself waits. The speed of the
 * machine doesn't matter.
 */
describe('a change by the partner', () => {
  const us = useCouple();

  /** Advances the page's clock until the heading appears. Returns how long the page waited, in milliseconds. */
  const waitedFor = async (page: Page, heading: string, pending: ReadonlySet<Request>): Promise<number> => {
    let waited = 0;
    const isThere = async () => {
      if (await page.getByRole('heading', { name: heading }).isVisible()) return true;
      if (pending.size > 0) return false;
      // Small steps with plenty of real time between them, so that network and CPU time hardly count.
      await page.clock.runFor(10);
      waited += 10;
      return false;
    };
    await expect.poll(isThere, { interval: 100, timeout: 30_000 }).toBe(true);
    return waited;
  };

  it('is on the screen within a second, also right after another one', async () => {
    const page = await us.open();
    await page.clock.install();
    const stream = page.waitForResponse('**/api/events');
    await page.goto('/date-ideas');
    await page.getByRole('heading', { level: 1, name: 'Date Ideas' }).waitFor();
    await stream;
    // Less than the silence after which the page replaces the stream.
    await stopClock(page, 20_000);
    // While a call is under way, the page waits for the machine and not for its clock.
    const pending = new Set<Request>();
    page.on('request', (request) => request.url().includes('/api/DateIdeas') && pending.add(request));
    page.on('requestfinished', (request) => pending.delete(request));
    page.on('requestfailed', (request) => pending.delete(request));
    for (const title of ['A first idea', 'A second idea', 'A third idea']) {
      await addIdea(us.ben, { title });
      expect(await waitedFor(page, title, pending)).toBeLessThanOrEqual(1000);
    }
  });
});
