import { describe, expect, it } from 'vitest';
import { planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** 'Today' and 'overdue' appear without a reload, by the device's clock and zone. */
describe('the clock on our dates', () => {
  const us = useCouple({ now: () => Date.parse('2026-12-31T08:00:00Z') });

  it('turns upcoming into today at midnight on New Year’s Eve, far from UTC, and into overdue a day later', {
    tags: ['dates.list.7', 'dates.list.8'],
  }, async () => {
    await planDate(us.ada, { idea: { title: 'First walk' }, at: '2027-01-01T01:00:00+14:00' });
    const page = await us.open({ timezoneId: 'Pacific/Kiritimati' });
    await page.clock.install({ time: '2026-12-31T23:58:30+14:00' });
    await page.goto('/planned-dates');
    const ticket = page.getByRole('article');
    await ticket.getByText('Upcoming').waitFor();
    await ticket.getByText('Friday, January 1, 2027').waitFor();
    await ticket.getByText('1 hour to go').waitFor();
    // From here on, only the test advances the page's clock, so that no minute passes while it looks.
    await page.clock.pauseAt('2026-12-31T23:59:30+14:00');
    await page.clock.fastForward('02:00');
    await ticket.getByText('Today!').waitFor();
    await ticket.getByText('59 minutes to go').waitFor();
    expect(await ticket.getByRole('button', { name: 'Cancel Date' }).count()).toBe(0);
    await page.clock.fastForward('01:00:00');
    await ticket.getByText('Starting soon!').waitFor();
    await page.clock.fastForward('23:00:00');
    await ticket.getByText('Overdue').waitFor();
    expect(await ticket.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  });
});
