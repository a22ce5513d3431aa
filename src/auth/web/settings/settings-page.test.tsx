import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Caller } from '../../../../tests/support/caller.ts';
import { failCalls } from '../../../../tests/support/handle-calls.ts';
import { registerAda } from '../../../../tests/support/register-couple.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, keepNoticesOpen, registerUs, show } from '../../../../tests/support/screens.tsx';
import { pageVersion } from '../../../base/web/version.ts';

/** `/settings`: names, time, partner, password. */
describe('the settings', () => {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const expectSaid = async (text: string) => {
    await expect.element(page.getByRole('status').getByText(text)).toBeVisible();
  };
  const valueOf = (label: string) => (page.getByLabelText(label).element() as HTMLInputElement).value;
  const field = (label: string) => page.getByLabelText(label, { exact: true });

  let us: Couple;
  beforeEach(async () => {
    await page.viewport(360, 780);
    us = await registerUs();
    keepNoticesOpen();
  });

  it("change the user's name, and show errors", { tags: ['wire.values.8', 'accounts.settings.4'] }, async () => {
    await show('/settings', us.ada);
    await field('Your name').fill('\u200b');
    await field('Email').fill('nobody');
    await press('Save Names');
    for (const label of ['Your name', 'Email'])
      await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true');
    await field('Your name').fill('Ada of the river');
    await field('Email').fill(us.ben.email);
    await press('Save Names');
    await expect.element(page.getByText('This email is already in use.').first()).toBeVisible();
    await expect.element(field('Your name')).toHaveValue('Ada of the river');
    await field('Email').fill(us.ada.email);
    await press('Save Names');
    await expectSaid('Our names are saved');
    const { body } = await us.ben.call('GET /api/auth/session');
    expect(JSON.stringify(body.user)).toContain('Ada of the river');
  });

  it('name the version of the app at their end', { tags: ['running.watching.3'] }, async () => {
    await show('/settings', us.ada);
    await expect.element(page.getByText(`Our Love Story ${pageVersion}`, { exact: true })).toBeVisible();
  });

  it('change the start date and the time zone', { tags: ['accounts.settings.2', 'accounts.settings.4'] }, async () => {
    await show('/settings', us.ada);
    for (const [day, message] of [
      ['2131-01-01', 'Together since cannot be in the future'],
      ['0001-01-01', 'Together since cannot be before the year 1900'],
    ] as const) {
      await field('Together since').fill(day);
      await press('Save Time');
      await expect.element(page.getByText(message)).toBeVisible();
    }
    await field('Together since').fill('2019-06-01');
    await field('Time zone').selectOptions('America/New_York');
    failCalls('PUT /api/couple', 1);
    await press('Save Time');
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(field('Together since')).toHaveValue('2019-06-01');
    await press('Save Time');
    await expectSaid('Our time settings are saved');
    const coupleOfBen = async () => (await us.ben.call('GET /api/auth/session')).body.user.couple;
    expect(await coupleOfBen()).toMatchObject({ togetherSince: '2019-06-01', timeZone: 'America/New_York' });
    await field('Together since').fill('');
    await press('Save Time');
    await expect.poll(async () => (await coupleOfBen()).togetherSince).toBeNull();
  });

  it('change the password and sign out the other devices; a wrong one signs nobody out', {
    tags: ['accounts.settings.4'],
  }, async () => {
    await show('/settings', us.ada);
    await field('Current password').fill('not at all the one');
    for (const [next, message] of [
      ['short', 'New password must be at least 10 characters'],
      ['qwertyuiop', 'New password is too common. Please choose another.'],
    ] as const) {
      await field('New password').fill(next);
      await press('Change Password');
      await expect.element(page.getByText(message)).toBeVisible();
    }
    await field('New password').fill('a lamp by the window');
    await press('Change Password');
    await expect.element(field('Current password')).toHaveAttribute('aria-invalid', 'true');
    expect(address()).toBe('/settings');
    await field('Current password').fill(us.ada.password);
    await press('Change Password');
    await expectSaid('Password changed. Your other devices are signed out.');
    const signIn = async (password: string) => {
      const body = { email: us.ada.email, password };
      return (await new Caller(location.origin).call('POST /api/auth/login', { body })).status;
    };
    expect(await signIn(us.ada.password)).toBe(401);
    expect(await signIn('a lamp by the window')).toBe(200);
  });

  it('invite the partner by link and QR code', { tags: ['accounts.settings.4'] }, async () => {
    await show('/settings', await registerAda({ url: location.origin }, `alone-${crypto.randomUUID()}@example.org`));
    await press('Invite');
    await expect.poll(() => valueOf('Invitation link')).toMatch(/\/auth\/join\/[\w-]{20,}$/);
    await expect.element(page.getByRole('img', { name: 'QR code of the invitation' })).toBeVisible();
    const first = valueOf('Invitation link');
    await press('Make a new invitation');
    await expect.poll(() => valueOf('Invitation link')).not.toBe(first);
  });

  it('make a link for a forgotten password, and are accessible on a phone, a tablet and a desktop', {
    tags: ['accounts.settings.4'],
  }, async () => {
    await show('/settings', us.ada);
    await press('Make a link');
    await expect.poll(() => valueOf('Link for a new password')).toMatch(/\/auth\/recover\/[\w-]{20,}$/);
    expect(await findIssuesAtEverySize('settings')).toEqual([]);
  });
});
