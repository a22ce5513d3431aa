import { beforeAll, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { addFingerprintReader } from '../../support/add-fingerprint-reader.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';

describe('passkeys in the browser', () => {
  const here = useApp();
  /** A host name, because passkeys don't work with an IP address. */
  let url: string;
  beforeAll(async () => {
    url = here.app.url.replace('127.0.0.1', 'localhost');
  });

  it('are added in the settings, sign in without e-mail and password, and are removed', {
    tags: ['accounts.passkeys.5'],
  }, async () => {
    const { ada } = await registerCouple({ url });
    const page = await here.openAs(ada);
    const { devtools, authenticatorId } = await addFingerprintReader(page);
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Password' });
    const add = setting.getByRole('button', { name: 'Add a Passkey' });
    const withPassword = async (password: string) => {
      await setting.getByLabel('Your password').fill(password);
      await setting.getByRole('button', { name: 'Add', exact: true }).click();
    };
    await add.click();
    await withPassword('not at all the password');
    await setting.getByRole('alert').getByText('This is not your current password.').waitFor();
    expect(await setting.getByRole('button', { name: 'Use a passkey instead' }).count()).toBe(0);
    // The notice is gone after five seconds.
    const notice = page.getByRole('status').getByText('Passkey added').waitFor();
    await withPassword(ada.password);
    await Promise.all([notice, setting.getByText(/not used yet$/).waitFor()]);
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
    await setting.getByRole('listitem').getByText('Chrome on Linux').waitFor();
    await expectNoViolations(page);
    await add.click();
    await setting.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('You already have a passkey on this device.').waitFor();
    await expectNoViolations(page);
    await setting.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/settings');
    await setting.getByText(/last used \d+ seconds? ago$/).waitFor();

    await setting.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await setting.getByText(/^You can sign in with a fingerprint/).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    const signIn = page.getByRole('button', { name: 'Use a passkey' });
    await signIn.click();
    await page.getByRole('alert').getByText('This passkey is not known here.').waitFor();

    // Cancelling shows no error.
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const begun = page.waitForResponse((response) => response.request().method() === 'POST');
    await signIn.click();
    await begun;
    await expect.poll(() => signIn.getAttribute('aria-busy')).toBeNull();
    await expect.poll(() => page.getByRole('alert').getByText(/\w/).count()).toBe(0);
  });

  it('are listed at the password change, and removed with it on request', {
    tags: ['accounts.passkeys.2'],
  }, async () => {
    const { ada } = await registerCouple({ url });
    const page = await here.openAs(ada);
    await addFingerprintReader(page);
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Password' });
    const remove = setting.getByRole('checkbox', { name: 'Remove my passkey too' });
    await setting.getByText(/^You can sign in with a fingerprint/).waitFor();
    expect(await remove.count()).toBe(0);
    await setting.getByRole('button', { name: 'Add a Passkey' }).click();
    await setting.getByLabel('Your password').fill(ada.password);
    await setting.getByRole('button', { name: 'Add', exact: true }).click();
    await remove.waitFor();
    const hint = await remove.getAttribute('aria-describedby');
    await expect.poll(() => page.locator(`[id="${hint}"]`).textContent()).toBe('Chrome on Linux');

    const change = async (from: string, to: string) => {
      await setting.getByLabel('Current password').fill(from);
      await setting.getByLabel('New password').fill(to);
      await setting.getByRole('button', { name: 'Change Password' }).click();
    };
    await change(ada.password, 'a second quiet evening');
    await page.getByText('Password changed. Your other devices are signed out.', { exact: true }).waitFor();
    await expect.poll(() => setting.getByText(/not used yet$/).count()).toBe(1);
    await remove.check();
    await change('a second quiet evening', 'a third quiet evening');
    await page.getByText('Your other devices are signed out, and your passkeys are removed.').waitFor();
    await setting.getByText(/^You can sign in with a fingerprint/).waitFor();
    await expect.poll(() => remove.count()).toBe(0);
  });

  it('are not offered under an IP address, where browsers do not support them', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await page.goto('/settings');
    await page.getByText('Passkeys need HTTPS and a domain name, not an IP address.').waitFor();
    expect(await page.getByRole('button', { name: 'Add a Passkey' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  });
});
