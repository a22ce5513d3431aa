import { describe, expect, it } from 'vitest';
import { registerCouple } from '../../support/client.ts';
import { completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** Clock changes on the screens; Rome's clocks go back on October 25, 2026. */
describe('the night of a clock change', () => {
  const rome = { timezoneId: 'Europe/Rome' };
  let now = Date.parse('2026-10-24T18:00:00Z');
  const us = useCouple({ now: () => now });

  it('has its actual duration', { tags: ['dates.complete.3'] }, async () => {
    // From 10 p.m. to 10 a.m., with one hour repeated.
    now = Date.parse('2026-10-24T20:00:00Z');
    const { id } = await startDate(us.ada, { idea: { title: 'A night in the hut' }, at: '2026-10-24T20:00:00Z' });
    now = Date.parse('2026-10-25T09:00:00Z');
    const page = await us.open(rome);
    await page.clock.setFixedTime(now);
    await page.goto(`/planned-dates/${id}/complete`);
    await expect.poll(() => page.getByLabel('Actual start time').inputValue()).toBe('2026-10-24T22:00');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await expect.poll(() => page.getByLabel('Actual end time').inputValue()).toBe('2026-10-25T10:00');
    await page.getByRole('status').getByText('13 hours', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await page.waitForURL(`**/planned-dates/${id}*`);
    await page.getByText('13 hours', { exact: true }).first().waitFor();
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id } });
    expect(body.actualDuration).toBe('13h');
  });

  it("counts as today from midnight to midnight in the device's zone", { tags: ['dates.list.7'] }, async () => {
    now = Date.parse('2026-10-24T12:00:00Z');
    const { ada } = await registerCouple(us.app);
    await planDate(ada, { idea: { title: 'Breakfast' }, at: '2026-10-25T08:00:00+01:00' });
    await completeDate(ada, { idea: { title: 'Supper' }, at: '2026-10-23T18:00:00Z', minutes: 60 });
    for (const [timezoneId, badge] of [
      ['America/New_York', 'Upcoming'],
      ['Europe/Rome', 'Today!'],
    ] as const) {
      const page = await us.openAs(ada, { timezoneId });
      // 12:15 a.m. in Rome, and the evening before in New York.
      await page.clock.setFixedTime('2026-10-25T00:15:00+02:00');
      await page.goto('/planned-dates');
      const ticket = page.getByRole('article').filter({ hasText: 'Breakfast' });
      await ticket.getByText(badge).waitFor();
      // Eight hours on the clock in Rome, plus the repeated hour.
      await ticket.getByText('8 hours to go').waitFor();
    }
  });
});
