import { describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { startDate } from '../../support/factories.ts';
import { keepNotices, killAndReopen } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';

/** What the user typed outlives the session and the window. */
describe('a form', () => {
  const us = useCouple();

  it('is restored after the session has ended', { tags: ['screens.forms.7'] }, async () => {
    const { id } = await startDate(us.ada, { idea: { title: 'A fort' }, at: Date.now() });
    const path = `/planned-dates/${id}/complete`;
    const call = `POST /api/PlannedDates/${id}/complete`;
    const page = await us.open(PHONE);
    await keepNotices(page);
    await page.goto(path);
    await page.getByLabel('Notes').fill('Half a sentence');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await answerOnce(page, call, { status: 401 });
    await page.context().clearCookies();
    const send = page.getByRole('button', { name: 'Complete Date' });
    await send.click();
    await page.waitForURL((url) => url.pathname === '/auth/login');
    await expect.poll(() => new URL(page.url()).searchParams.get('returnUrl')).toBe(path);
    await page.getByLabel('Email').fill(us.ada.email);
    await page.getByLabel('Password', { exact: true }).fill(us.ada.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${path}`);
    await page.getByText('We restored what you had written.').waitFor();
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Half a sentence');
    await send.click();
    await page.waitForURL((url) => url.pathname !== path);
    await expect.poll(() => keptWords(page)).toEqual([]);
  });

  it('is restored in another window after its page was killed while the user typed', {
    tags: ['screens.forms.3'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title', { exact: true }).pressSequentially('A balloon');
    await expect.poll(() => keptWords(page, '/')).toMatchObject([{ values: { title: 'A balloon' } }]);
    const next = await killAndReopen(page);
    await keepNotices(next);
    await next.goto('/date-ideas/add');
    await next.getByText('We restored what you had written.').waitFor();
    await expect.poll(() => next.getByLabel('Title', { exact: true }).inputValue()).toBe('A balloon');
  });
});
