import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { findPageIssues } from '../../support/accessibility.ts';
import { addIdea, completeDate } from '../../support/factories.ts';
import { keepNotices, untilControlled } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { isKnownOffline } from '../stored-rows.ts';

/** A couple that begins today brings what was before. */
describe('a past date', () => {
  const here = useApp();

  const submit = (page: Page) => page.getByRole('button', { name: 'Add to Our Story' });

  it('is added from the first screen, by keyboard alone, and leads to its details and to our story', {
    tags: ['dates.past.3', 'dates.past.4', 'home.dashboard.22'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    await addIdea(ben, { title: 'Swim before breakfast', category: 'Active', isActive: false });
    const page = await here.openAs(ada, PHONE);
    await keepNotices(page);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Plan a date' }).waitFor();
    await page.getByRole('link', { name: 'Bring your photographs' }).waitFor();
    await page.getByRole('link', { name: 'Add a Past Date' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add a Past Date' }).waitFor();
    expect(await findPageIssues(page, 'a past date')).toEqual([]);
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Romantic');
    await page.getByLabel('What did we do?').fill('swim before breakfast');
    await page.getByText('One of our ideas.').waitFor();
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Active');
    await page.getByLabel('Started').fill('2019-06-01T06:00');
    await page.getByRole('button', { name: 'Afternoon' }).press('Enter');
    await expect.poll(() => page.getByLabel('Ended').inputValue()).toBe('2019-06-01T18:00');
    await page.getByLabel('Location').fill('By the lake');
    await page.getByLabel('Location').press('Enter');
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'Swim before breakfast' }).waitFor();
    await page.getByRole('link', { name: 'Add Memories' }).waitFor();
    await page.getByRole('link', { name: 'See our story' }).click();
    await page.waitForURL('**/memories?sort=story-desc');
    await page.getByRole('link', { name: 'Add a Past Date' }).waitFor();
    // The partner's screen has it too.
    const theirs = await here.openAs(ben, DESKTOP);
    await theirs.goto('/planned-dates');
    await theirs.getByText('Swim before breakfast').waitFor();
    await theirs.getByRole('link', { name: 'Add a Past Date' }).waitFor();
  });

  it('waits on the device while offline, and a stale correction shows what the partner has changed', {
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
    await submit(page).click();
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
