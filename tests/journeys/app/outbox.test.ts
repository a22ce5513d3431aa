import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keepNotices, RECONNECT, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { isKnownOffline, storedRows } from '../stored-rows.ts';

/** Whether the page's outbox can't be opened, and how often that has failed. */
declare const outboxState: { broken: boolean; failures: number };

const KEPT = 'We are offline. Our idea is saved on this device and will be sent when we are online again.';

/** Adding data while the browser reports that it is offline. */
describe('an entry added offline', () => {
  const here = useApp();

  async function installed(who: Partner): Promise<Page> {
    const page = await here.openAs(who, { serviceWorkers: 'allow' });
    await keepNotices(page);
    await page.goto('/date-ideas');
    await untilControlled(page);
    await page.getByRole('heading', { name: 'Date Ideas', level: 1 }).waitFor();
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    return page;
  }

  async function save(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('status').getByText(KEPT).waitFor();
  }

  async function write(page: Page, title: string): Promise<void> {
    await page.goto('/date-ideas/add');
    await save(page, title);
    await page.getByRole('region', { name: 'Waiting to be sent' }).getByText(title).waitFor();
  }

  const titles = async (who: Partner) =>
    (await who.call('GET /api/DateIdeas')).body.map(({ title }) => title).toReversed();

  it('is kept, shown as waiting, and sent once and in order when the connection is back, even after a reload', {
    tags: ['screens.offline.6'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.context().setOffline(true);
    await write(page, 'First of three');
    await write(page, 'Second of three');
    await page.reload();
    await page.getByRole('status').getByText('2 things waiting to be sent.').waitFor();
    await write(page, 'Third of three');
    // A second tab shows the same entries, and sends nothing twice.
    const second = await page.context().newPage();
    await second.goto('/date-ideas');
    await second.getByRole('status').getByText('3 things waiting to be sent.').waitFor();
    expect(await titles(ada)).toEqual([]);

    await page.context().setOffline(false);
    await page.getByText('3 ideas found').waitFor(RECONNECT);
    await second.getByText('3 ideas found').waitFor(RECONNECT);
    expect(await titles(ada)).toEqual(['First of three', 'Second of three', 'Third of three']);
    await expect.poll(() => page.getByRole('region', { name: 'Waiting to be sent' }).count()).toBe(0);
  });

  it('is kept even if the browser could not open its database at first', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await keepNotices(page);
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype;
      const state = { broken: true, failures: 0 };
      Object.assign(globalThis, { outboxState: state });
      IDBFactory.prototype.open = function (name, version) {
        if (name !== 'outbox' || !state.broken) return open.call(this, name, version);
        state.failures += 1;
        throw new DOMException('The disk is busy.', 'UnknownError');
      };
    });
    await page.goto('/date-ideas/add');
    await page.waitForFunction(() => outboxState.failures > 0);
    await page.evaluate(() => {
      outboxState.broken = false;
    });
    await page.context().setOffline(true);
    await save(page, 'Kept after all');
    await expect.poll(async () => (await storedRows(page, 'outbox', 'calls')).keys.length).toBe(1);
  });

  it('asks the browser to keep what is stored', { tags: ['screens.offline.11'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await keepNotices(page);
    await page.addInitScript(() => {
      StorageManager.prototype.persist = () => {
        Object.assign(globalThis, { isPersistent: true });
        return Promise.resolve(true);
      };
    });
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title').waitFor();
    await page.context().setOffline(true);
    const isPersistent = () => page.evaluate(() => 'isPersistent' in globalThis);
    expect(await isPersistent()).toBe(false);
    await save(page, 'Only here');
    await expect.poll(isPersistent).toBe(true);
  });
});
