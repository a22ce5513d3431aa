import { beforeEach, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { Caller } from '../../support/caller.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { gotoLive, letReactRender, nextPageResponse } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

describe('leaving the couple', () => {
  const here = useApp();
  let us: Awaited<ReturnType<typeof registerCouple>>;
  beforeEach(async () => {
    us = await registerCouple(here.app);
    const { id } = await completeDate(us.ada, { at: '2026-11-01T10:00:00Z', minutes: 30 });
    await addPhoto(us.ada, id, 1);
  });

  it('asks for the password, deletes one account, and leaves everything to the partner', {
    tags: ['accounts.leaving.1'],
  }, async () => {
    const page = await here.openAs(us.ben);
    await page.goto('/settings');
    const leaving = page.getByRole('region', { name: 'Leaving' });
    await leaving.getByRole('button', { name: 'Leave our space' }).click();
    await leaving.getByText('Your account is deleted, and Ada keeps what we made together.').waitFor();
    await leaving.getByText('Your hearts, and notes that Ada has not opened, are deleted too.').waitFor();
    await leaving.getByLabel('Your password').fill('not this one');
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await leaving.getByRole('alert').getByText('This is not your current password.').waitFor();
    await expectNoViolations(page);
    await leaving.getByLabel('Your password').fill(us.ben.password);
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect((await us.ada.call('GET /api/Memories')).body).toHaveLength(1);
  });

  it('shows a notice to the partner on every screen, and deletes immediately when both ask', {
    tags: ['accounts.leaving.2', 'accounts.leaving.3'],
  }, async () => {
    const hers = await here.openAs(us.ada);
    const his = await here.openAs(us.ben, PHONE);
    await gotoLive(his, '/memories');
    await his.getByRole('heading', { level: 1, name: 'Our Memories' }).waitFor();
    await gotoLive(hers, '/settings');
    const ofHers = hers.getByRole('region', { name: 'Leaving' });
    const requestDeletion = async () => {
      await ofHers.getByRole('button', { name: 'Delete our space' }).click();
      await ofHers.getByLabel('Your password').fill(us.ada.password);
      await ofHers.getByRole('button', { name: 'Delete in 30 days' }).click();
    };
    await requestDeletion();
    const notice = his.getByRole('status').filter({ hasText: 'Ada has asked to delete our space.' });
    await notice.waitFor();
    await expectNoViolations(his);
    await ofHers.getByRole('button', { name: 'Take it back' }).click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => hers.getByRole('status').filter({ hasText: 'has asked' }).count()).toBe(0);
    await requestDeletion();
    await notice.getByRole('link', { name: 'See the settings' }).click();
    const ofHis = his.getByRole('region', { name: 'Leaving' });
    await ofHis.getByRole('button', { name: 'Agree to delete' }).click();
    await ofHis.getByLabel('Your password').fill(us.ben.password);
    await ofHis.getByRole('button', { name: 'Delete everything' }).click();
    // Both learn what happened, once, and without a name.
    for (const page of [his, hers]) {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.getByRole('status').getByText('Our space has been deleted, because we both asked for it.').waitFor();
      await expectNoViolations(page);
      expect(await page.locator('body').innerText()).not.toMatch(/Ada|Ben/);
      await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
    }
    const body = { email: us.ada.email, password: us.ada.password };
    expect((await new Caller(here.app.url).call('POST /api/auth/login', { body })).status).toBe(401);
  });

  it('tells who asked to delete the space why the session may have ended, if the page missed the deletion', {
    tags: ['accounts.leaving.3'],
  }, async () => {
    const sure = (who: Partner) => ({ body: { currentPassword: who.password } });
    await us.ada.call('POST /api/couple/deletion', sure(us.ada));
    const page = await here.openAs(us.ada);
    // As while a phone is locked.
    await page.route('**/api/events', (route) => route.abort());
    const known = nextPageResponse(page, (response) => response.url().endsWith('/api/couple/deletion'));
    await page.goto('/stats');
    await known;
    await letReactRender(page);
    await us.ben.call('POST /api/couple/deletion', sure(us.ben));
    // The page may have asked for something by itself, and leave the screen before the link is clicked or while it is.
    await page
      .getByRole('link', { name: 'Date Ideas', exact: true })
      .evaluateAll(([link]: HTMLElement[]) => link?.click())
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('status').getByText('If we have both asked to delete our space').waitFor();
  });
});
