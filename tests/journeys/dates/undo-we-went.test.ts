import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/base/durations.ts';
import { planDate } from '../../support/factories.ts';
import { gotoLive, keepNotices } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

/** Taking 'We went!' back, on both screens. */
describe('‘We went!’', () => {
  const here = useApp();

  /** A couple with a date that was planned for the day before yesterday, from 8 to 8:45 in the evening in UTC. */
  const overdue = async () => {
    const couple = await registerCouple(here.app);
    const at = Math.floor(Date.now() / DAY) * DAY - 2 * DAY + 20 * HOUR;
    await planDate(couple.ada, { idea: { title: 'Waltz' }, at, end: at + 0.75 * HOUR, notes: 'Slowly' });
    return couple;
  };
  const window = (who: Partner, options = {}) => here.openAs(who, { ...DESKTOP, timezoneId: 'UTC', ...options });
  const list = async (page: Page) => {
    await gotoLive(page, '/planned-dates');
    await button(page, 'We went!').waitFor();
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const message = (page: Page) => page.getByRole('group', { name: 'We went!' });

  it('takes the milestone back with Undo, for both partners, and celebrates it when it is reached again', {
    tags: ['dates.went.5'],
  }, async () => {
    const { ada, ben } = await overdue();
    const [page, other] = [await window(ada), await window(ben)];
    for (const one of [page, other]) {
      await keepNotices(one);
      await list(one);
    }
    const celebration = (one: Page) => one.getByRole('status').filter({ hasText: 'First Date' });
    const unseen = async () =>
      (await Promise.all([ada, ben].map((who) => who.call('GET /api/Stats/celebrations')))).flatMap(({ body }) => body);
    for (const undo of [true, false]) {
      await button(page, 'We went!').click();
      for (const one of [page, other]) await celebration(one).waitFor();
      await expect.poll(unseen).toEqual([]);
      if (!undo) break;
      await message(page).getByRole('button', { name: 'Undo' }).click();
      for (const one of [page, other]) await celebration(one).waitFor({ state: 'detached' });
    }
  });
});
