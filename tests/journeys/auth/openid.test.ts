import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { engineOfJourneys } from '../../support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../support/openid-app.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { openAs, useChromium } from '../../support/use-chromium.ts';

describe('an OpenID provider in the browser', () => {
  const chromium = useChromium();
  let here: OpenIdApp;
  beforeAll(async () => {
    here = await startOpenIdApp(engineOfJourneys, { web: true });
  });
  afterAll(() => here.close());

  /** Signs in at the provider, which is another site, and waits until it has led back. */
  const signInThere = async (page: Page, login: string) => {
    await page.waitForURL(`${here.provider.issuer}/**`);
    await page.getByLabel('Login').fill(login);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  const openSignedOut = () => chromium.open(here.app.url);
  const password = (page: Page) => page.getByRole('region', { name: 'Password' });
  const connect = async (page: Page, who: Partner, login: string) => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Connect Our House' }).click();
    await page.getByLabel('Your password').fill(who.password);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await signInThere(page, login);
  };

  it('is connected in the settings, signs in to the page that was wanted, and is removed', {
    tags: ['openid.connecting.1', 'openid.signin.3', 'openid.signin.4'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await openAs(chromium, ada);
    await connect(page, ada, 'ada');
    await page.getByRole('status').getByText('Connected. You can sign in with it from now on.').waitFor();
    await page.getByText('connected: you can sign in with it').waitFor();
    await page.waitForURL((url) => url.pathname === '/settings');
    await expectNoViolations(page);

    const other = await openSignedOut();
    await other.goto('/stats?x=1');
    const button = other.getByRole('button', { name: 'Continue with Our House' });
    await button.waitFor();
    await expectNoViolations(other);
    await button.click();
    await signInThere(other, 'ada');
    await other.waitForURL('**/stats?x=1');
    await other.getByRole('heading', { level: 1, name: 'in Numbers' }).waitFor();
    // The way back has left no step in the history that would come back once more.
    await other.reload();
    await other.getByRole('heading', { level: 1, name: 'in Numbers' }).waitFor();

    await page.getByRole('button', { name: 'Remove Our House' }).click();
    await page.getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Connect Our House' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Continue with Our House' }).click();
    await page
      .getByRole('alert')
      .getByText(/^If you have a space here/)
      .waitFor();
    await page.getByRole('heading', { name: 'Nobody here uses this account' }).waitFor();
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').waitFor();
  });

  it('registers, invites the partner, and confirms for an account without a password', {
    tags: ['openid.registering.1', 'openid.registering.2', 'openid.registering.4', 'openid.confirming.4'],
  }, async () => {
    const page = await openSignedOut();
    await page.goto('/auth/register');
    await page.getByRole('button', { name: 'Continue with Our House' }).click();
    await signInThere(page, 'cleo');
    await page.getByRole('heading', { level: 1, name: 'Almost there' }).waitFor();
    await expectNoViolations(page);
    await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Cleo of openid');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('cleo@openid.example');
    await page.waitForURL(`${here.app.url}/auth/oidc`);
    await registerAda(here.app, 'taken@openid.example');
    await page.getByLabel('Email').fill('taken@openid.example');
    await page.getByRole('button', { name: 'Create our space' }).click();
    await page.getByText('This email is already in use.').waitFor();
    await page.getByLabel('Your name').fill('Cleo');
    await page.getByLabel('Email').fill('cleo@openid.example');
    await page.getByRole('button', { name: 'Create our space' }).click();
    await page.waitForURL('**/dashboard');

    await page.goto('/settings');
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByLabel('Invitation link').inputValue();
    const partner = await openSignedOut();
    await partner.goto(link);
    await partner.getByRole('button', { name: 'Continue with Our House' }).click();
    await signInThere(partner, 'dan');
    await partner.getByRole('button', { name: 'Join' }).click();
    await partner.waitForURL('**/dashboard');
    await page.getByText('sees and edits everything here').waitFor();

    // Neither has a password: the provider confirms, and the prompt is open again.
    await password(page).getByText('This is your only way to sign in.').waitFor();
    await password(page).getByRole('button', { name: 'Set a Password' }).click();
    await password(page).getByText('First confirm that it is you.').waitFor();
    await expectNoViolations(page);
    await password(page).getByRole('button', { name: 'Confirm with Our House' }).click();
    await signInThere(page, 'cleo');
    await password(page).getByText('You have confirmed that it is you.').waitFor();
    await page.waitForURL(`${here.app.url}/settings`);
    await password(page).getByLabel('New password').fill('too short');
    await password(page).getByRole('button', { name: 'Save', exact: true }).click();
    await password(page).getByText('New password must be at least 10 characters').waitFor();
    await password(page).getByLabel('New password').fill('a first quiet evening');
    await password(page).getByRole('button', { name: 'Save', exact: true }).click();
    await password(page).getByRole('button', { name: 'Change Password' }).waitFor();
    await password(page).getByRole('button', { name: 'Remove Our House' }).waitFor();

    await partner.goto('/settings');
    const leaving = partner.getByRole('region', { name: 'Leaving' });
    await leaving.getByRole('button', { name: 'Leave our space' }).click();
    await leaving.getByRole('button', { name: 'Confirm with Our House' }).click();
    await signInThere(partner, 'dan');
    await leaving.getByRole('button', { name: 'Leave', exact: true }).click();
    await partner.waitForURL('**/auth/login*');
  });

  it('says so when it refuses, and the sign-in page is as it was', { tags: ['openid.signin.4'] }, async () => {
    const page = await openSignedOut();
    await page.goto('/auth/login');
    await page.getByRole('button', { name: 'Continue with Our House' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Our House did not let you in, or you cancelled there.').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    here.provider.isDown = true;
    await page.getByLabel('Email').waitFor();
    here.provider.isDown = false;
    // Back and forth in the history: a way back that was used counts no more.
    await page.goBack();
    await page.getByRole('alert').waitFor();
  });
});
