import AxeBuilder from '@axe-core/playwright';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { registerCouple } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { windowOf } from './upload-page.ts';

/** A device with a fingerprint reader, of Chromium's own making. */
async function withFingerprint(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

describe('passkeys in the browser (issue 6)', () => {
  const chromium = useChromium();
  let app: TestApp;
  /** A name: passkeys are not to be had under an IP address. */
  let url: string;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    url = app.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => app.close());

  it('are added in the settings, sign in without e-mail and password, and are removed', async () => {
    const { ada } = await registerCouple({ url });
    const page = await windowOf(chromium, ada);
    const { devtools, authenticatorId } = await withFingerprint(page);
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Password' });
    await setting.getByRole('button', { name: 'Add a Passkey' }).click();
    await setting.getByText(/not used yet$/).waitFor();
    await setting.getByText('Chrome on Linux').waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    await setting.getByRole('button', { name: 'Add a Passkey' }).click();
    await page.getByText('This device has a passkey of yours already.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/settings');
    await setting.getByText(/last used \d+ seconds? ago$/).waitFor();

    await setting.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await setting.getByText(/^A fingerprint, a face/).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    const signIn = page.getByRole('button', { name: 'Use a passkey' });
    await signIn.click();
    await page.getByRole('alert').getByText('This passkey opens nothing here.').waitFor();

    // Whoever thinks better of it is left in peace.
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await signIn.click();
    await expect.poll(() => signIn.getAttribute('aria-busy')).toBeNull();
    expect(await page.getByRole('alert').getByText(/\w/).count()).toBe(0);
  });

  it('are not offered under an IP address, where no browser has any', async () => {
    const { ada } = await registerCouple(app);
    const page = await windowOf(chromium, ada);
    await page.goto('/settings');
    await page.getByText('They need our album at an address with a name, over HTTPS.').waitFor();
    expect(await page.getByRole('button', { name: 'Add a Passkey' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  });
});
