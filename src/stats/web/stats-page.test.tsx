import { beforeAll, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate } from '../../../tests/support/factories.ts';
import { handleCalls } from '../../../tests/support/handle-calls.ts';
import { findIssues } from '../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show, textsOf, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';

describe('the statistics', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const date = await completeDate(us.ada, { at: Date.now() - 365 * DAY, minutes: 90 });
    for (const seed of [1, 2, 3, 4, 5]) await uploadPhoto(us.ada, date.id, seed);
  });

  it('count the date of a year ago, and are filtered by period without another request', {
    tags: ['stats.screen.7', 'stats.screen.9'],
  }, async () => {
    await page.viewport(1280, 800);
    await show('/stats', us.ada);
    await expect.element(page.getByText('1 beautiful date', { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText('5 precious memories')).toBeVisible();
    await expect.element(page.getByRole('progressbar', { name: 'First Date' })).toBeVisible();
    await expect.element(page.getByText('Forever counting ∞')).toBeVisible();
    expect(await findIssues('statistics')).toEqual([]);
    const rows = page.getByRole('table', { name: 'Hours per period' }).getByRole('rowheader');
    await expect.poll(() => textsOf(rows)).toEqual(['This month', 'Last month', 'This year', 'Last year']);
    const asked = vi.fn<() => void>();
    for (const call of ['GET /api/Stats', 'GET /api/Stats/*'] as const) {
      handleCalls(call, (ask) => {
        asked();
        return ask();
      });
    }
    // Celebrations are loaded once the page is idle.
    handleCalls('GET /api/Stats/celebrations', (ask) => ask());
    await page.getByRole('button', { name: 'This Month' }).click();
    await expect.poll(() => textsOf(rows)).toEqual(['This month']);
    expect(asked).not.toHaveBeenCalled();
  });
});
