import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, PHONE } from '../../support/browser.ts';
import { type Partner, registerCouple } from '../../support/client.ts';
import { addIdea } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

const WORDS = 'Bring the blue scarf';

/** The partner deletes or deactivates the idea while a date is planned from it, so that trying again can't help. */
describe('planning a date from an idea that the partner takes away', () => {
  const here = useApp();
  let ada: Partner;
  let ben: Partner;
  let id: string;
  const idea = { title: 'The slow lunch', description: 'At the pier', category: 'Food' } as const;
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(here.app));
    ({ id } = await addIdea(ada, idea));
  });

  const remove = () => ben.call('DELETE /api/DateIdeas/{id}', { params: { id } });
  const deactivate = () => ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { ...idea, isActive: false } });
  const plan = (page: Page) => page.getByRole('button', { name: 'Plan This Date' });
  const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
  const isKept = async (page: Page) => {
    expect(await page.getByLabel('Notes').inputValue()).toBe(WORDS);
    expect(await page.getByLabel('Date and time').inputValue()).toMatch(/T14:00$/);
    expect(await page.getByLabel('Keep it a surprise').isChecked()).toBe(true);
  };
  const fillIn = async (page: Page) => {
    await page.goto(`/date-ideas/${id}/plan`);
    await page.getByRole('button', { name: 'This Weekend' }).click();
    await page.getByLabel('Notes').fill(WORDS);
    await page.getByLabel('Keep it a surprise').check();
  };
  const planned = async (page: Page) => {
    await plan(page).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    const { body } = await ada.call('GET /api/PlannedDates');
    expect(body).toMatchObject([{ notes: WORDS, surprise: { mine: true } }]);
  };

  it('says that it was deleted, and adds it again, once', { tags: ['dates.plan.11'] }, async () => {
    const page = await here.openAs(ada, PHONE);
    await fillIn(page);
    await remove();
    await plan(page).click();
    const deleted = refusal(page, 'This idea was deleted. Add it again to plan a date from it.');
    await deleted.getByText('What you wrote is still here.').waitFor();
    await isKept(page);
    await answerOnce(page, 'POST /api/DateIdeas', 'lost');
    await deleted.getByRole('button', { name: 'Add it again' }).click();
    await refusal(page, 'Failed to create date idea. Please try again.').waitFor();
    await isKept(page);
    await deleted.getByRole('button', { name: 'Add it again' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/plan') && !url.pathname.includes(id));
    await page.getByText('We restored what you had written.').waitFor();
    await isKept(page);
    await planned(page);
    const { body } = await ada.call('GET /api/DateIdeas');
    expect(body).toMatchObject([{ ...idea, isActive: true, plannedDatesCount: 1 }]);
  });

  it('says that it is inactive, and makes it active again', { tags: ['dates.plan.11'] }, async () => {
    const page = await here.openAs(ada, DESKTOP);
    await fillIn(page);
    await deactivate();
    await plan(page).click();
    const inactive = refusal(page, 'This idea is inactive. Make it active again to plan a date from it.');
    await answerOnce(page, 'PUT /api/DateIdeas/*', 'cut');
    const activate = inactive.getByRole('button', { name: 'Make it active again' });
    await activate.click();
    await refusal(page, 'Failed to update date idea. Please try again.').waitFor();
    await activate.click();
    await inactive.waitFor({ state: 'detached' });
    await isKept(page);
    // The button that had the focus is gone.
    expect(await plan(page).evaluate((button) => button === document.activeElement)).toBe(true);
    await planned(page);
  });

  it('says so if it was deleted when it is to be made active again', { tags: ['dates.plan.11'] }, async () => {
    const page = await here.openAs(ada, DESKTOP);
    await fillIn(page);
    await deactivate();
    await plan(page).click();
    const activate = page.getByRole('button', { name: 'Make it active again' });
    await activate.waitFor();
    await remove();
    await activate.click();
    await refusal(page, 'This idea was deleted. Add it again to plan a date from it.').waitFor();
    await isKept(page);
  });

  it('says so if it was inactive from the start', { tags: ['dates.plan.11'] }, async () => {
    await deactivate();
    const page = await here.openAs(ada, PHONE);
    await page.goto(`/date-ideas/${id}/plan`);
    const activate = page.getByRole('button', { name: 'Make it active again' });
    await activate.waitFor();
    await remove();
    await activate.click();
    await page.getByRole('alert').getByText('Date idea not found.').waitFor();
  });
});
