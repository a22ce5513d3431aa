import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { startDate } from '../../support/factories.ts';
import { gotoLive } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';

const WORDS = 'You stopped for every lamp.\nI counted them.';

/** What is typed in date mode and can't be saved anymore. */
describe('words of date mode that the server refuses', () => {
  const here = useApp();

  const outTogether = async () => {
    const couple = await registerCouple(here.app);
    const date = await startDate(couple.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR });
    return { ...couple, date, path: `/planned-dates/${date.id}/now` };
  };
  const note = (page: Page) => page.getByLabel('A note, saved as we write');
  const kept = (page: Page) => keptWords(page, 'date-mode');
  const said = (page: Page) =>
    page.getByText('What you typed during ‘Lantern walk’ could not be saved, and is still on this device.');
  const words = (page: Page) => page.getByRole('region', { name: 'Words that were not saved' });

  /** Types words offline, and closes the page. Returns another page of the same device, online again. */
  const typeAndClose = async (ada: Partner, path: string, text: string) => {
    const page = await here.openAs(ada, PHONE);
    await gotoLive(page, path);
    await note(page).waitFor();
    await page.context().setOffline(true);
    await note(page).fill(text);
    await expect.poll(() => kept(page)).toMatchObject([{ text }]);
    await page.close();
    const next = await page.context().newPage();
    await next.context().setOffline(false);
    return next;
  };

  it('are shown on every screen of a page that is opened later, also after a reload', {
    tags: ['datemode.9'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await typeAndClose(ada, path, WORDS);
    const body = { actualEndTime: new Date().toISOString() };
    await ben.call('POST /api/PlannedDates/{id}/complete', { params: { id: date.id }, body });
    await page.goto('/stats');
    await said(page).getByRole('link', { name: 'See what you typed' }).click();
    await page.waitForURL(`**${path}`);
    await words(page).getByText('I counted them.').waitFor();
    await page.reload();
    await words(page).getByText('I counted them.').waitFor();
  });

  it('are discarded as they were shown: what another window has typed since stays', {
    tags: ['datemode.9'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const first = await here.openAs(ada, PHONE);
    await gotoLive(first, path);
    await note(first).waitFor();
    // This window can't save, nor learn that the date is deleted.
    await first.route('**/api/**', (route) => route.abort());
    await note(first).fill(WORDS);
    await expect.poll(() => kept(first)).toMatchObject([{ text: WORDS }]);
    await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    const second = await first.context().newPage();
    await gotoLive(second, path);
    await words(second).getByText('I counted them.').waitFor();
    const more = `${WORDS} Seven.`;
    await note(first).fill(more);
    await expect.poll(() => kept(first)).toMatchObject([{ text: more }]);
    await words(second).getByRole('button', { name: 'Discard' }).click();
    await second.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await words(second).getByText('I counted them. Seven.').waitFor();
    expect(await kept(first)).toMatchObject([{ text: more }]);
  });
});
