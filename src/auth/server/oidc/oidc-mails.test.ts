import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { type MailServer, startMailServer } from '../../../../tests/support/mail-server.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { PASSWORD, registerCouple } from '../../../../tests/support/register-couple.ts';

describeOnSqlite('an OpenID provider, where mail is sent', (engine) => {
  let openId: OpenIdApp;
  let server: MailServer;
  let ada: Partner;
  beforeAll(async () => {
    server = await startMailServer();
    const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'album@example.org' };
    openId = await startOpenIdApp(engine, { env });
    ({ ada } = await registerCouple(openId.app));
  });
  afterAll(async () => {
    await openId.close();
    await server.close();
  });

  const notices = () => server.received.filter(({ subject }) => subject !== 'Confirm your email');
  const subjects = () => notices().map(({ subject }) => subject);

  it('sends the user a mail: connected, a new device, disconnected', {
    tags: ['mail.notices.2', 'mail.notices.3'],
    timeout: 60_000,
  }, async () => {
    await openId.browser().roundTrip({ intent: 'connect', currentPassword: PASSWORD }, 'ada', ada);
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['A way to sign in was added']);
    const browser = openId.browser();
    await browser.roundTrip({ intent: 'sign-in' }, 'ada');
    await expect
      .poll(subjects, { timeout: 20_000 })
      .toEqual(['A way to sign in was added', 'A new device is signed in']);
    // The way back comes without the cookie; the way there had it.
    await browser.roundTrip({ intent: 'sign-in' }, 'ada');
    await ada.call('DELETE /api/auth/oidc', { body: { currentPassword: PASSWORD } });
    await expect
      .poll(subjects, { timeout: 20_000 })
      .toEqual(['A way to sign in was added', 'A new device is signed in', 'A way to sign in was removed']);
    expect(notices()[0]?.text).toContain('Our House was connected');
  });
});
