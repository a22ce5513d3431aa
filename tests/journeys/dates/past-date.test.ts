import { describe, expect, it } from 'vitest';
import { findPageIssues } from '../../support/accessibility.ts';
import { addIdea } from '../../support/factories.ts';
import { keepNotices } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';

describe('a past date', () => {
  const here = useApp();

  // A couple that begins today brings what was before.
  it('is added from the first screen, and leads to its details and to our story', {
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
});
