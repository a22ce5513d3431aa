import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { qrPath } from '../../../src/auth/qr-path.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { focusedId, gotoLive } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { useApp, useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

async function signIn(page: Page, { email, password }: Pick<Partner, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the page is at a path, including the query if one is given. */
async function arrive(page: Page, address: string) {
  await page.waitForURL((url) => url.pathname + (address.includes('?') ? url.search : '') === address);
}

async function expectClean(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectNoViolations(page);
}

describe('signing in', () => {
  const us = useCouple();

  it('leads a visitor to the sign-in page, and then to where they wanted to go', {
    tags: ['accounts.signin.7'],
  }, async () => {
    const page = await us.openSignedOut();
    await page.goto('/planned-dates?sort=title#top');
    await arrive(page, '/auth/login');
    expect(new URL(page.url()).searchParams.get('returnUrl')).toBe('/planned-dates?sort=title#top');
    await expect.poll(() => page.title()).toBe('Sign in · Our Love Story');
    await expectClean(page);

    await signIn(page, { email: us.ada.email, password: 'not at all the one' });
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(us.ada.email);
    await signIn(page, us.ada);
    await page.waitForURL(`${us.app.url}/planned-dates?sort=title#top`);
    for (const path of ['/', '/nowhere', '/login', '/auth/register']) {
      await page.goto(path);
      await arrive(page, '/dashboard');
    }
  });

  it('registers, invites and joins; the partner appears without a reload', {
    tags: ['accounts.signin.7', 'accounts.partner.2'],
  }, async () => {
    const ada = await us.openSignedOut({ name: 'Ada' });
    await ada.goto('/auth/register');
    await ada.getByRole('button', { name: 'Create our space' }).click();
    await ada.getByText('Name is required').waitFor();
    await ada.getByLabel('Your name').fill('Ada');
    await ada.getByLabel('Email').fill(us.ada.email);
    await ada.getByLabel('Password').fill('a short sentence');
    await ada.getByRole('button', { name: 'Create our space' }).click();
    await ada.getByText('This email is already in use.').waitFor();
    await expect.poll(() => ada.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await ada.getByLabel('Email').fill('another.ada@example.org');
    await ada.getByRole('button', { name: 'Create our space' }).click();
    await arrive(ada, '/dashboard');

    // A change before her page is connected to the live changes would not reach it.
    await gotoLive(ada, '/settings');
    await expect.poll(() => ada.getByLabel('Time zone').inputValue()).toBe('Europe/Rome');
    await ada.getByRole('button', { name: 'Invite' }).click();
    const link = await ada.getByLabel('Invitation link').inputValue();
    // The QR code for the other phone has the same link, drawn as one path.
    const code = ada.getByRole('img', { name: 'QR code of the invitation' }).locator('path');
    expect(await code.getAttribute('d')).toBe(qrPath(encode(link, { ecc: 'M', border: 4 }).data));
    const ben = await us.openSignedOut({ name: 'Ben', viewport: { width: 360, height: 780 } });
    await ben.goto(link);
    await ben.getByRole('heading', { name: 'Ada invites you' }).waitFor();
    await expectClean(ben);
    await ben.getByLabel('Your name').fill('Ben');
    await ben.getByLabel('Email').fill('another.ben@example.org');
    await ben.getByLabel('Password').fill('another sentence');
    await ben.getByRole('button', { name: 'Join' }).click();
    await arrive(ben, '/dashboard');
    await ada.getByText('Ben cannot sign in?').waitFor();

    const late = await us.openSignedOut({ name: 'too late' });
    await late.goto(link);
    await late.getByRole('heading', { name: 'Ask for a new invitation' }).waitFor();
    expect(await late.getByRole('button', { name: 'Join' }).count()).toBe(0);
  });

  it('says that a user is signed in who opens an invitation, and leads back to it after a sign-out', {
    tags: ['accounts.partner.3'],
  }, async () => {
    const alone = await registerAda(us.app);
    const page = await us.openAs(alone, PHONE);
    const { body: invitation } = await alone.call('POST /api/auth/invitations');
    await page.goto(invitation.url);
    await arrive(page, '/dashboard');
    const notice = page.getByRole('status').filter({ hasText: 'You are signed in as Ada.' });
    await notice.getByText('This invitation is for a person who doesn’t have a space yet.').waitFor();
    await expectClean(page);
    // The code is not kept where it was not before.
    const kept = () =>
      page.evaluate(() => JSON.stringify([location.href, history.state, Object.entries(localStorage)]));
    expect(await kept()).not.toContain(invitation.code);

    await notice.getByRole('button', { name: 'Stay signed in' }).click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => focusedId(page)).toBe('main');
    await page.goto(invitation.url);
    await notice.getByRole('button', { name: 'Sign out and open it' }).click();
    await page.getByRole('heading', { name: 'Ada invites you' }).waitFor();
    await page.getByLabel('Your name').fill('Ben');
    await page.getByLabel('Email').fill('ben.by.invitation@example.org');
    await page.getByLabel('Password').fill('another sentence');
    await page.getByRole('button', { name: 'Join' }).click();
    await arrive(page, '/dashboard');
    // A user who has just used the link needs no notice.
    await page.locator('[data-ui=connection]').waitFor({ state: 'attached' });
    await page.getByTestId('floating-hearts').waitFor({ state: 'attached' });
    expect(await page.getByText('This invitation is for a person').count()).toBe(0);
  });

  it('says that a user is signed in who opens a link for a new password, and leads back to it', {
    tags: ['accounts.partner.3'],
  }, async () => {
    const couple = await registerCouple(us.app);
    const { body: recovery } = await couple.ada.call('POST /api/auth/recovery');
    await couple.ben.call('POST /api/auth/recovery/agree');
    const page = await us.openAs(couple.ada);
    await page.goto(recovery.url);
    await arrive(page, '/dashboard');
    const notice = page.getByRole('status').filter({ hasText: 'You are signed in as Ada.' });
    await notice.getByText('This link sets a new password for the person it was made for.').waitFor();
    await page.reload();
    await page.locator('[data-ui=connection]').waitFor({ state: 'attached' });
    expect(await notice.count()).toBe(0);

    await page.goto(recovery.url);
    await notice.getByRole('button', { name: 'Sign out and open it' }).click();
    await page.getByLabel('New password').fill('a new sentence');
    await page.getByRole('button', { name: 'Save' }).click();
    await arrive(page, '/auth/login');
    await signIn(page, { email: couple.ben.email, password: 'a new sentence' });
    await arrive(page, '/dashboard');
  });
});

describe('a new server', () => {
  const here = useApp({ env: { REGISTRATION: 'first' } });

  it('shows registration first, and later says that it is closed', async () => {
    const first = await here.openSignedOut({ name: 'the first' });
    await first.goto('/');
    await arrive(first, '/auth/register');
    await first.getByRole('button', { name: 'Create our space' }).waitFor();
    await registerAda(here.app);

    const second = await here.openSignedOut({ name: 'the second' });
    await second.goto('/auth/register');
    await second.getByRole('heading', { name: 'Registration is closed' }).waitFor();
    expect(await second.getByRole('textbox').count()).toBe(0);
    await expectClean(second);
  });
});
