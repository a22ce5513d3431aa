import { describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP } from '../../support/browser.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptWords } from '../stored-rows.ts';

describe('the form of an idea', () => {
  const us = useCouple();

  it('keeps what was typed when the session ends, until after signing in again', {
    tags: ['screens.forms.7'],
  }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title', { exact: true }).fill('A hill at sunrise');
    await page.getByLabel('Category').selectOption('Outdoor');
    await answerOnce(page, 'POST /api/DateIdeas', { status: 401 });
    // The session's cookie is gone too.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.waitForURL(/\/auth\/login\?returnUrl=%2Fdate-ideas%2Fadd/);
    await page.getByLabel('Email').fill(us.ben.email);
    await page.getByLabel('Password', { exact: true }).fill(us.ben.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/date-ideas/add');
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('A hill at sunrise');
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Outdoor');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.waitForURL('**/date-ideas');
    await page.getByRole('heading', { name: 'A hill at sunrise' }).waitFor();
    await expect.poll(() => keptWords(page)).toEqual([]);
  });
});
