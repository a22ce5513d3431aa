import { describe, expect, it } from 'vitest';
import { appVersion } from '../../../src/app/server/version.ts';
import { THEME_COLORS } from '../../../src/app/web/start/theme-colors.ts';
import { MINUTE } from '../../../src/base/time.ts';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { PHONE } from '../../support/browser.ts';
import { Caller, registerAda, registerCouple } from '../../support/client.ts';
import { useCouple } from '../../support/use-app.ts';

/** `/settings`: names, time, appearance, partner, password, devices. */
describe('the settings', () => {
  const us = useCouple();

  it("change the user's name for the partner too, and show errors", {
    tags: ['wire.values.8', 'accounts.settings.4'],
  }, async () => {
    const page = await us.open(PHONE);
    const bens = await us.openAs(us.ben, { name: 'Ben' });
    // A change before his page is connected to the live changes would not reach it.
    const connected = bens.waitForResponse('**/api/events');
    await Promise.all([page.goto('/settings'), bens.goto('/settings'), connected]);
    await bens.getByRole('region', { name: 'Partner' }).getByRole('listitem').getByText(/^Ada/).waitFor();
    const name = page.getByLabel('Your name');
    const email = page.getByLabel('Email');
    await name.fill('\u200b');
    await email.fill('nobody');
    await page.getByRole('button', { name: 'Save Names' }).click();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Ada of the river');
    await email.fill(us.ben.email);
    await page.getByRole('button', { name: 'Save Names' }).click();
    await page.getByText('This email is already in use.').first().waitFor();
    expect(await name.inputValue()).toBe('Ada of the river');
    await email.fill(us.ada.email);
    await page.getByRole('button', { name: 'Save Names' }).click();
    await page.getByRole('status').getByText('Our names are saved').waitFor();
    await bens.getByText('Ada of the river').first().waitFor();
  });

  it('name the version of the app at their end', { tags: ['running.watching.3'] }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/settings');
    await page.getByRole('main').getByText(`Our Love Story ${appVersion}`, { exact: true }).waitFor();
  });

  it('change the start date and the time zone', { tags: ['accounts.settings.2', 'accounts.settings.4'] }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/settings');
    const since = page.getByLabel('Together since');
    for (const [day, message] of [
      ['2131-01-01', 'Together since cannot be in the future'],
      ['0001-01-01', 'Together since cannot be before the year 1900'],
    ] as const) {
      await since.fill(day);
      await page.getByRole('button', { name: 'Save Time' }).click();
      await page.getByText(message).waitFor();
    }
    await since.fill('2019-06-01');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await answerOnce(page, 'PUT /api/couple', 'cut');
    await page.getByRole('button', { name: 'Save Time' }).click();
    const failure = page.getByRole('alert').filter({ hasText: /./ }).first();
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByLabel('Together since').inputValue()).toBe('2019-06-01');
    await page.getByRole('button', { name: 'Save Time' }).click();
    await page.getByRole('status').getByText('Our time settings are saved').waitFor();
    const { body } = await us.ben.call('GET /api/auth/session');
    expect(body.user.couple).toMatchObject({ togetherSince: '2019-06-01', timeZone: 'America/New_York' });
    await page.getByLabel('Together since').fill('');
    await page.getByRole('button', { name: 'Save Time' }).click();
    await expect
      .poll(async () => (await us.ben.call('GET /api/auth/session')).body.user.couple.togetherSince)
      .toBeNull();
  });

  it('change and remember the color scheme of the device', {
    tags: ['accounts.settings.4', 'accounts.settings.5'],
  }, async () => {
    const page = await us.open({ colorScheme: 'light' });
    await page.goto('/settings');
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    /** The color of the phone's bars: of the first of these elements that applies. */
    const bars = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
            ({ media }) => matchMedia(media).matches,
          )?.content,
      );
    await expect.poll(bars).toBe(THEME_COLORS.light);
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await expect.poll(paper).toBe('dark');
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(paper).toBe('dark');
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'As the device' }).check({ force: true });
    await expect.poll(paper).toBe('light dark');
    await expect.poll(bars).toBe(THEME_COLORS.light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    await expect.poll(paper).toBe('light');
    await expect.poll(bars).toBe(THEME_COLORS.light);
  });

  it('change the password and sign out the other devices; a wrong one signs nobody out', {
    tags: ['accounts.settings.4'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    const page = await us.openAs(ada, PHONE);
    await page.goto('/settings');
    const current = page.getByLabel('Current password', { exact: true });
    const next = page.getByLabel('New password', { exact: true });
    const save = page.getByRole('button', { name: 'Change Password' });
    await current.fill('not at all the one');
    await next.fill('short');
    await save.click();
    await page.getByText('New password must be at least 10 characters').waitFor();
    await next.fill('qwertyuiop');
    await save.click();
    await page.getByText('New password is too common. Please choose another.').waitFor();
    await next.fill('a lamp by the window');
    await save.click();
    await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true');
    expect(new URL(page.url()).pathname).toBe('/settings');
    await current.fill(ada.password);
    await save.click();
    await page.getByRole('status').getByText('Password changed. Your other devices are signed out.').waitFor();
    const login = (password: string) =>
      new Caller(us.app.url).call('POST /api/auth/login', { body: { email: ada.email, password } });
    expect((await login(ada.password)).status).toBe(401);
    expect((await login('a lamp by the window')).status).toBe(200);
  });

  it("list the user's devices with this one first, sign out others, and fold a long list", {
    tags: ['accounts.settings.4', 'screens.words.7'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    for (let device = 0; device < 7; device += 1) {
      await fetch(`${us.app.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
        },
        body: JSON.stringify({ email: ada.email, password: ada.password }),
      });
    }
    const page = await us.openAs(ada, PHONE);
    // A device whose clock is behind the server's.
    await page.clock.setFixedTime(Date.now() - MINUTE);
    await page.goto('/settings');
    const devices = page.getByRole('region', { name: 'Devices' });
    const lines = devices.getByRole('listitem');
    await lines.first().getByText('This device', { exact: true }).waitFor();
    await expect.poll(() => lines.count()).toBe(5);
    await lines.getByText('last used 0 seconds ago').first().waitFor();
    await devices.getByRole('button', { name: 'Show 3 more devices' }).click();
    await expect.poll(() => lines.count()).toBe(8);
    await expect.poll(() => devices.getByRole('button', { name: 'Sign out' }).count()).toBe(7);
    await devices.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('status').getByText('Signed out on Chrome on Android').waitFor();
    await expect.poll(() => lines.count()).toBe(7);
    expect((await ada.call('GET /api/auth/sessions')).body).toHaveLength(7);
  });

  it('invite the partner by link and QR code, and make a link for a forgotten password', {
    tags: ['accounts.settings.4'],
  }, async () => {
    const single = await registerAda(us.app, `alone-${Date.now()}@example.org`);
    const page = await us.openAs(single, PHONE);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = page.getByLabel('Invitation link');
    await link.waitFor();
    expect(await link.inputValue()).toMatch(/\/auth\/join\/[\w-]{20,}$/);
    await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor();
    const first = await link.inputValue();
    await page.getByRole('button', { name: 'Make a new invitation' }).click();
    await expect.poll(() => link.inputValue()).not.toBe(first);

    const together = await us.open(PHONE);
    await together.goto('/settings');
    await together.getByRole('button', { name: 'Make a link', exact: true }).click();
    const recovery = together.getByLabel('Link for a new password');
    await recovery.waitFor();
    expect(await recovery.inputValue()).toMatch(/\/auth\/recover\/[\w-]{20,}$/);
  });

  it('are accessible on a phone, a tablet and a desktop', async () => {
    const page = await us.open();
    await page.goto('/settings');
    await page.getByText('This device', { exact: true }).waitFor();
    // An earlier test may have made one.
    await page.getByRole('button', { name: /^Make a (new )?link$/ }).click();
    await page.getByLabel('Link for a new password').waitFor();
    expect(await findIssuesAtEverySize(page, 'settings')).toEqual([]);
  });
});
