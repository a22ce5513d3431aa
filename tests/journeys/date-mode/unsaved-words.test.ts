import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessibilityIssues } from '../../support/accessibility.ts';
import { focusedId, gotoLive, keepNotices, PHONE } from '../../support/browser.ts';
import { type Partner, registerCouple } from '../../support/client.ts';
import { startDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';
import { keptWords, RECONNECT } from '../stored-rows.ts';

const HOUR = 3_600_000;
const WORDS = 'You stopped for every lamp.\nI counted them.';

/** What is typed in date mode and can't be saved anymore. */
describe('words of date mode that the server refuses', () => {
  const here = useApp();

  const outTogether = async () => {
    const couple = await registerCouple(here.app);
    const date = await startDate(couple.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR });
    return { ...couple, date, path: `/planned-dates/${date.id}/now` };
  };
  const ENDS = {
    completed: (who: Partner, id: string) =>
      who.call('POST /api/PlannedDates/{id}/complete', {
        params: { id },
        body: { actualEndTime: new Date().toISOString() },
      }),
    deleted: (who: Partner, id: string) => who.call('DELETE /api/PlannedDates/{id}', { params: { id } }),
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

  it.each(['completed', 'deleted'] as const)(
    'because the partner has %s the date are shown on every screen, and stay until they are discarded',
    { tags: ['datemode.9', 'datemode.10'] },
    async (end) => {
      const { ada, ben, date, path } = await outTogether();
      const page = await typeAndClose(ada, path, WORDS);
      await ENDS[end](ben, date.id);
      await page.goto('/stats');
      await said(page).waitFor();
      expect(await findAccessibilityIssues(page, 'refused')).toEqual([]);
      await page.goto('/date-ideas');
      await said(page).getByRole('link', { name: 'See the words' }).click();
      await page.waitForURL(`**${path}`);
      await words(page).getByText('I counted them.').waitFor();
      expect(await said(page).count()).toBe(0);
      expect(await findAccessibilityIssues(page, 'words')).toEqual([]);
      await page.reload();
      await words(page).getByText('I counted them.').waitFor();
      // From here on it is one page, which says so on other screens until the words are discarded.
      await page.getByRole('button', { name: 'Back' }).click();
      await said(page).getByRole('link', { name: 'See the words' }).click();
      await words(page).getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => words(page).count()).toBe(0);
      await expect.poll(() => focusedId(page)).toBe('main');
      await expect.poll(() => kept(page)).toEqual([]);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('heading', { level: 1, name: 'Date Ideas' }).waitFor();
      await said(page).waitFor({ state: 'detached' });
    },
  );

  it('are shown when they are refused after date mode was left', { tags: ['datemode.9'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await gotoLive(page, '/dashboard');
    await page.getByRole('link', { name: /Lantern walk/ }).click();
    await note(page).waitFor();
    await page.context().setOffline(true);
    await note(page).fill(WORDS);
    await expect.poll(() => kept(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL((url) => url.pathname !== path);
    await ENDS.completed(ben, date.id);
    await page.context().setOffline(false);
    await said(page).waitFor(RECONNECT);
  });

  it('because they are too long lead back to the note, and stay when the date has ended', {
    tags: ['datemode.9'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const long = `${'We talked about the street lamps. '.repeat(30)}Then they went out.`;
    const page = await typeAndClose(ada, path, long);
    await gotoLive(page, '/stats');
    await said(page).getByRole('link', { name: 'See the words' }).click();
    await page.getByText('Notes cannot exceed 1000 characters').waitFor();
    expect(await note(page).inputValue()).toBe(long);
    await ENDS.completed(ben, date.id);
    await words(page).getByText('Then they went out.').waitFor();
    await page.reload();
    await words(page).getByText('Then they went out.').waitFor();
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
    await ENDS.deleted(ben, date.id);
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

  it('can be copied, or selected where the browser copies nothing', { tags: ['datemode.9'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await typeAndClose(ada, path, WORDS);
    await ENDS.completed(ben, date.id);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await keepNotices(page);
    await page.goto(path);
    await words(page).getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(WORDS);
    // Over plain HTTP.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.reload();
    await words(page).getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Please select and copy the words yourself').waitFor();
  });
});
