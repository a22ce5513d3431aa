import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { engineOfJourneys } from '../../support/engines.ts';
import { linkIn, type ReceivedMail } from '../../support/mail-server.ts';
import { type MailedApp, startMailedApp } from '../../support/mailed-app.ts';
import { gotoLive } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { openAs, PHONE, useChromium } from '../../support/use-chromium.ts';

/** What people do with mails: real ones, from a real mail server, whose links they open. */
describe('with mail', () => {
  const chromium = useChromium();
  let mailed: MailedApp;
  beforeAll(async () => {
    mailed = await startMailedApp(engineOfJourneys, { web: true });
  });
  afterAll(() => mailed.close());

  const mailTo = async (address: string, subject: RegExp): Promise<ReceivedMail> => {
    const found = (await mailed.send()).filter((mail) => mail.to === address && subject.test(mail.subject));
    expect(found).toHaveLength(1);
    return found[0] as ReceivedMail;
  };
  /** Delivers the mails of registering, so that only the next one is found. */
  const deliverEarlierMails = () => mailed.send();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const confirm = async (who: Partner): Promise<void> => {
    const { code } = linkIn(await mailTo(who.email, /confirm/i));
    expect((await who.call('POST /api/auth/email/{code}', { params: { code } })).status).toBe(204);
  };

  it('a user who forgot the password asks for a link that works once, sets a new one and signs in', {
    tags: ['mail.screens.1', 'mail.screens.10', 'mail.recovery.1'],
  }, async () => {
    const { ada } = await registerCouple(mailed.app);
    await confirm(ada);
    const page = await chromium.open(mailed.app.url, PHONE);
    await page.goto('/auth/login');
    await page.getByLabel('Email').fill(ada.email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading(page, 'Check your email');
    const { url } = linkIn(await mailTo(ada.email, /password/i));
    await page.goto(url);
    await expectNoViolations(page);
    await page.getByLabel('New password').fill('a sentence of the sea');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/auth/login');
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill('a sentence of the sea');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');
    // The link is used up.
    const another = await chromium.open(mailed.app.url, PHONE);
    await another.goto(url);
    await another.getByLabel('New password').fill('another sentence');
    await another.getByRole('button', { name: 'Save' }).click();
    await heading(another, 'Ask for a new link');
    await another.getByRole('link', { name: 'Forgot your password?' }).click();
    await another.getByRole('button', { name: 'Send the link' }).waitFor();
  });

  it('a user confirms an address by the link that is sent again, and the settings of another device show it', {
    tags: ['mail.screens.3', 'mail.screens.4', 'mail.screens.7'],
  }, async () => {
    const { ada } = await registerCouple(mailed.app);
    await deliverEarlierMails();
    const settings = await openAs(chromium, ada);
    await gotoLive(settings, '/settings');
    await settings.getByRole('button', { name: 'Send the link again' }).click();
    await settings.getByText('A new link is on its way.').waitFor();
    const { url, code } = linkIn(await mailTo(ada.email, /confirm/i));
    const phone = await chromium.open(mailed.app.url, PHONE);
    await phone.goto(url);
    await heading(phone, 'Your email is confirmed');
    expect(phone.url()).not.toContain(code);
    await settings.getByText(`${ada.email} is confirmed.`).waitFor();
    await phone.goto(url);
    await heading(phone, 'This link no longer works');
  });

  it('a user changes the email with the password, and confirms the new one', {
    tags: ['mail.screens.8', 'mail.address.2'],
  }, async () => {
    const { ben } = await registerCouple(mailed.app);
    await deliverEarlierMails();
    const page = await openAs(chromium, ben, PHONE);
    await gotoLive(page, '/settings');
    const names = page.getByRole('region', { name: 'Our names' });
    const email = `moved-${ben.email}`;
    await names.getByLabel('Email').fill(email);
    await names.getByLabel('Current password').fill('not my password');
    await names.getByRole('button', { name: 'Save Names' }).click();
    await names.getByText('This is not your current password.').waitFor();
    await names.getByLabel('Current password').fill(ben.password);
    await names.getByRole('button', { name: 'Save Names' }).click();
    await page.getByText('Our names are saved').waitFor();
    const { url } = linkIn(await mailTo(email, /confirm/i));
    // On the device that is signed in, the page leads into the app.
    await page.goto(url);
    await heading(page, 'Your email is confirmed');
    await page.getByRole('link', { name: 'Open our album' }).click();
    await page.waitForURL('**/dashboard');
  });

  it('a user stops the link that the partner made, by the link in the mail', {
    tags: ['mail.screens.3', 'mail.screens.5', 'mail.notices.1'],
  }, async () => {
    const { ada, ben } = await registerCouple(mailed.app);
    await deliverEarlierMails();
    const made = await ada.call('POST /api/auth/recovery');
    expect(made.status).toBe(201);
    const { url, code } = linkIn(await mailTo(ben.email, /password/i));
    const phone = await chromium.open(mailed.app.url, PHONE);
    await phone.goto(url);
    await phone.getByRole('button', { name: 'Stop' }).waitFor();
    expect(phone.url()).not.toContain(code);
    expect((await ben.call('GET /api/auth/recovery')).body).toHaveLength(1);
    await phone.getByRole('button', { name: 'Stop' }).click();
    await heading(phone, 'The link is stopped');
    expect((await ben.call('GET /api/auth/recovery')).body).toEqual([]);
    await phone.goto(made.body.url);
    await phone.getByLabel('New password').fill('a sentence of the sea');
    await phone.getByRole('button', { name: 'Save' }).click();
    await heading(phone, 'Ask for a new link');
  });

  it('a user invites the partner, who joins', { tags: ['mail.screens.9', 'mail.invitations.1'] }, async () => {
    const ada = await registerAda(mailed.app, 'ada-who-invites@example.org');
    await deliverEarlierMails();
    const page = await openAs(chromium, ada);
    await gotoLive(page, '/settings');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Your partner’s email').fill('ben-who-joins@example.org');
    await page.getByRole('button', { name: 'Send by e-mail' }).click();
    await page.getByText('The invitation is on its way to ben-who-joins@example.org.').waitFor();
    const { url } = linkIn(await mailTo('ben-who-joins@example.org', /invit/i));
    const bens = await chromium.open(mailed.app.url, { ...PHONE, name: 'Ben' });
    await bens.goto(url);
    await bens.getByLabel('Your name').fill('Ben');
    await bens.getByLabel('Email').fill('ben-who-joins@example.org');
    await bens.getByLabel('Password').fill('a sentence of the sea');
    await bens.getByRole('button', { name: 'Join' }).click();
    await bens.waitForURL('**/dashboard');
    await page.getByText('sees and edits everything here').waitFor();
  });
});
