import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { gotoLive } from '../support/browser.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { startDate } from '../support/factories.ts';
import { useApp } from '../support/use-app.ts';
import { countOpenForms, RECONNECT, storedRows } from './stored-rows.ts';

const HOUR = 3_600_000;

describe('the note of date mode, typed offline in two windows', () => {
  const here = useApp();
  const note = (page: Page) => page.getByLabel('A note, saved as we write');
  const kept = async (page: Page) =>
    ((await storedRows(page, 'outbox', 'notes')).values as { text: string }[]).map(({ text }) => text).toSorted();

  const typeInBoth = async (ada: Partner, path: string) => {
    const first = await here.openAs(ada);
    await gotoLive(first, path);
    const second = await first.context().newPage();
    await gotoLive(second, path);
    await first.context().setOffline(true);
    await note(second).fill('TWO third');
    await note(first).fill('ONE third');
    await expect.poll(() => kept(first)).toEqual(['ONE third', 'TWO third']);
    return { first, second };
  };
  const begin = async () => {
    const { ada } = await registerCouple(here.app);
    const { id } = await startDate(ada, { at: Date.now() - HOUR });
    const saved = async () => (await ada.call('GET /api/PlannedDates/{id}', { params: { id } })).body.notes ?? '';
    const lines = async () => (await saved()).split('\n').toSorted();
    return { ada, path: `/planned-dates/${id}/now`, lines };
  };

  it('is saved with the words of both, also if one of them is closed before', async () => {
    const { ada, path, lines } = await begin();
    const { first, second } = await typeInBoth(ada, path);
    await second.close();
    // Until then it is open for the first one, which looks again only a minute later.
    await expect.poll(() => countOpenForms(first)).toBe(1);
    await first.context().setOffline(false);
    await expect.poll(lines, RECONNECT).toEqual(['ONE third', 'TWO third']);
    await expect.poll(() => kept(first)).toEqual([]);
    await expect.poll(async () => (await note(first).inputValue()).split('\n').toSorted()).toEqual(await lines());
  });

  it('is continued with the words of both, once', async () => {
    const { ada, path, lines } = await begin();
    const { first, second } = await typeInBoth(ada, path);
    for (const page of [first, second]) await page.close();
    const context = first.context();
    await context.route('**/api/PlannedDates/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    );
    await context.setOffline(false);
    const next = await context.newPage();
    await gotoLive(next, path);
    const typed = async () => (await note(next).inputValue()).split('\n').toSorted();
    await expect.poll(typed).toEqual(['ONE third', 'TWO third']);
    // It replaces what was typed in the windows that are closed.
    await expect.poll(async () => (await kept(next)).length).toBe(1);
    await note(next).fill('Other words');
    await expect.poll(() => kept(next)).toEqual(['Other words']);
    await context.unroute('**/api/PlannedDates/*');
    await expect.poll(lines, RECONNECT).toEqual(['Other words']);
  });
});
