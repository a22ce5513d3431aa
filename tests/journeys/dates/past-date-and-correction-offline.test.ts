import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { completeDate } from '../../support/factories.ts';
import { untilControlled } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';
import { isKnownOffline } from '../stored-rows.ts';

describe('a past date and a correction, sent offline,', () => {
  const here = useApp();

  it('wait on the device, and a stale correction shows what the partner has changed', {
    tags: ['dates.past.6', 'dates.record.4'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const { id } = await completeDate(ada, { idea: { title: 'The pier' }, at: Date.now() - 3 * DAY, minutes: 60 });
    const page = await here.openAs(ada, { ...DESKTOP, serviceWorkers: 'allow' });
    await page.goto('/planned-dates/past');
    await untilControlled(page);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await page.goto(`/planned-dates/${id}/record`);
    await page.getByLabel('Location').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Location').fill('At the end of the pier');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL(`**/planned-dates/${id}`);
    await page.goto('/planned-dates/past');
    await page.getByLabel('What did we do?').fill('The first walk');
    await page.getByRole('button', { name: 'Add to Our Story' }).click();
    await page.waitForURL('**/planned-dates');
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText('The first walk').waitFor();
    await waiting.getByText('At the end of the pier').waitFor();

    // Meanwhile the partner corrects the same date.
    const body = { actualStartTime: '2026-01-01T10:00:00Z', actualEndTime: '2026-01-01T11:00:00Z', location: 'Pier 2' };
    await ben.call('PUT /api/PlannedDates/{id}/record', { params: { id }, body });
    await page.context().setOffline(false);
    await waiting.getByText('The first walk').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('main').innerText()).toContain('The first walk');
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.waitForURL(`**/planned-dates/${id}/record`);
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('At the end of the pier');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await theirs.getByText('Pier 2').waitFor();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await page.waitForURL(`**/planned-dates/${id}`);
    await page.getByText('At the end of the pier').waitFor();
  });
});
