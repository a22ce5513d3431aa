import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { Caller } from '../../support/caller.ts';
import { gotoLive } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** A link for a new password, which one partner makes for the other. */
describe('a link for a new password', () => {
  let ahead = 0;
  const us = useApp({ now: () => Date.now() + ahead });

  const noticeOn = (page: Page) =>
    page.getByRole('status').filter({ hasText: 'Ada made a link for a new password for you.' });
  const setPassword = async (page: Page, password: string) => {
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  const makeLink = async (page: Page) => {
    await gotoLive(page, '/settings');
    await page.getByRole('button', { name: 'Make a link', exact: true }).click();
    return page.getByLabel('Link for a new password').inputValue();
  };
  /** A link that Ada made in her settings, and Ben's device at home, which is still signed in and shows the notice. */
  const begin = async () => {
    const couple = await registerCouple(us.app);
    const [ada, home] = [await us.openAs(couple.ada), await us.openAs(couple.ben, PHONE)];
    await gotoLive(home, '/date-ideas');
    const link = await makeLink(ada);
    await noticeOn(home).waitFor();
    return { ...couple, adas: ada, home, link };
  };

  it('works once the other agrees on a device that is signed in, which both see without a reload', {
    tags: ['secrets.recovery.2'],
  }, async () => {
    const { ben, adas, home, link } = await begin();
    await adas.getByText(/It works from .+ at .+, for 24 hours\./).waitFor();
    await expectNoViolations(home);
    const phone = await us.openSignedOut({ name: 'Ben' });
    await phone.goto(link);
    await setPassword(phone, 'a new sentence');
    await phone
      .getByRole('alert')
      .getByText(/^This link works from .+ at .+\.$/)
      .waitFor();

    await noticeOn(home).getByRole('button', { name: 'Agree' }).click();
    await home.getByText('The link works now, for one hour').waitFor();
    await noticeOn(home)
      .getByText(/It works until/)
      .waitFor();
    await adas.getByText(/It works until/).waitFor();
    expect(await adas.getByLabel('Link for a new password').inputValue()).toBe(link);
    await expect.poll(() => noticeOn(home).getByRole('button', { name: 'Agree' }).count()).toBe(0);

    await makePasskey(ben);
    await phone.getByLabel('Keep my passkeys').check();
    await setPassword(phone, 'a new sentence');
    await phone.waitForURL('**/auth/login');
    await phone.getByLabel('Email').fill(ben.email);
    await phone.getByLabel('Password').fill('a new sentence');
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await phone.waitForURL('**/dashboard');
    await expect.poll(() => noticeOn(phone).count()).toBe(0);
    await home.waitForURL('**/auth/login?**');
    await adas.getByText('Ben cannot sign in?').waitFor();
    await adas.getByRole('button', { name: 'Make a link', exact: true }).waitFor();
    const body = { email: ben.email, password: 'a new sentence' };
    const { token } = (await new Caller(us.app.url).call('POST /api/auth/login', { body })).body;
    expect((await new Caller(us.app.url, token).call('GET /api/auth/passkeys')).body).toHaveLength(1);
  });

  it('works no more once the other stops it', { tags: ['secrets.recovery.2'] }, async () => {
    const { adas, home, link } = await begin();
    await noticeOn(home).getByRole('button', { name: 'Stop' }).click();
    await home.getByText('The link is stopped').waitFor();
    await noticeOn(home).waitFor({ state: 'detached' });
    await adas.getByLabel('Link for a new password').waitFor({ state: 'detached' });
    const anybody = await us.openSignedOut({ name: 'Ben' });
    await anybody.goto(link);
    await setPassword(anybody, 'a new sentence');
    await anybody.getByRole('heading', { name: 'Ask for a new link' }).waitFor();
  });

  it('is stopped by the one who made it, also after a reload, where only the settings tell of it', {
    tags: ['secrets.recovery.2'],
  }, async () => {
    const { adas, home } = await begin();
    await adas.reload();
    await adas.getByText(/It works from .+, for 24 hours\./).waitFor();
    expect(await adas.getByRole('status').filter({ hasText: 'made a link' }).count()).toBe(0);
    await adas.getByRole('region', { name: 'Partner' }).getByRole('button', { name: 'Stop' }).click();
    await adas.getByText('The link is stopped').waitFor();
    await noticeOn(home).waitFor({ state: 'detached' });
  });

  it('sets a new password a day later if nobody stops it', { tags: ['secrets.recovery.2'] }, async () => {
    const { ben, link } = await begin();
    ahead += DAY;
    const phone = await us.openSignedOut({ name: 'Ben' });
    await phone.goto(link);
    await setPassword(phone, 'a new sentence');
    await phone.waitForURL('**/auth/login');
    const body = { email: ben.email, password: 'a new sentence' };
    expect((await new Caller(us.app.url).call('POST /api/auth/login', { body })).status).toBe(200);
  });
});
