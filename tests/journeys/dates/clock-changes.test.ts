import { describe, expect, it } from 'vitest';
import { registerCouple } from '../../support/client.ts';
import { addIdea, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** Clock changes on the screens; Rome's are on October 25, 2026 and March 28, 2027. */
describe('the night of a clock change', () => {
  const rome = { timezoneId: 'Europe/Rome' };
  let now = Date.parse('2026-10-24T18:00:00Z');
  const us = useCouple({ now: () => now });

  it('is planned in local time: quick fills keep the day, and a skipped hour becomes the next one', {
    tags: ['dates.plan.3', 'dates.plan.5'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'The night train' });
    const page = await us.open(rome);
    await page.clock.setFixedTime('2027-03-27T18:00:00+01:00');
    await page.goto(`/date-ideas/${idea.id}/plan`);
    const start = page.getByLabel('Date and time');
    await expect.poll(() => start.inputValue()).toBe('2027-03-28T19:00');
    await page.getByRole('button', { name: 'Next Week' }).click();
    await expect.poll(() => start.inputValue()).toBe('2027-04-03T19:00');
    await start.fill('2027-03-28T02:30');
    await page.getByLabel('End time').fill('2027-03-28T04:00');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    await page.getByText('3:30 AM', { exact: true }).first().waitFor();
    await page.getByText('30 minutes', { exact: true }).first().waitFor();
    const { body } = await us.ada.call('GET /api/PlannedDates');
    expect(body).toMatchObject([
      { plannedDateTime: '2027-03-28T01:30:00.000Z', endDateTime: '2027-03-28T02:00:00.000Z' },
    ]);
  });

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
