import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea } from '../../../tests/support/factories.ts';
import { setTime } from '../../../tests/support/handle-calls.ts';
import { address, registerUs, show } from '../../../tests/support/screens.tsx';

/** The device is in Rome, whose clocks go forward on March 28, 2027. */
describe('the night of a clock change', () => {
  beforeEach(() => page.viewport(1280, 800));
  afterEach(() => vi.useRealTimers());

  it('is planned in local time: quick fills keep the day, and a skipped hour becomes the next one', {
    tags: ['dates.plan.3', 'dates.plan.5'],
  }, async () => {
    setTime(Date.parse('2027-03-27T18:00:00+01:00'));
    const { ada } = await registerUs();
    const idea = await addIdea(ada, { title: 'The night train' });
    await show(`/date-ideas/${idea.id}/plan`, ada);
    const start = page.getByLabelText('Date and time');
    await expect.element(start).toHaveValue('2027-03-28T19:00');
    await page.getByRole('button', { name: 'Next Week' }).click();
    await expect.element(start).toHaveValue('2027-04-03T19:00');
    await start.fill('2027-03-28T02:30');
    await page.getByLabelText('End time').fill('2027-03-28T04:00');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await expect.poll(address).toMatch(/^\/planned-dates\/[0-9a-f-]{36}/);
    await expect.element(page.getByText('3:30 AM', { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText('30 minutes', { exact: true }).first()).toBeVisible();
    const { body } = await ada.call('GET /api/PlannedDates');
    expect(body).toMatchObject([
      { plannedDateTime: '2027-03-28T01:30:00.000Z', endDateTime: '2027-03-28T02:00:00.000Z' },
    ]);
  });
});
