import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { linkIn, type ReceivedMail } from '../../../../tests/support/mail-server.ts';
import { type MailedApp, startMailedApp } from '../../../../tests/support/mailed-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { DAY, HOUR } from '../../../base/durations.ts';

describeOnBoth('a confirmed address', (engine) => {
  let mailed: MailedApp;
  beforeAll(async () => {
    mailed = await startMailedApp(engine);
  });
  beforeEach(() => {
    // The wrong codes that other tests tried no longer count.
    mailed.advance(DAY);
  });
  afterAll(() => mailed.close());

  const confirm = async (code: string) =>
    (await mailed.nobody().call('POST /api/auth/email/{code}', { params: { code } })).status;
  const isVerified = async (who: Partner) => (await who.call('GET /api/auth/session')).body.user.emailVerified;
  const confirmations = (mails: readonly ReceivedMail[]) =>
    mails.filter(({ subject }) => subject === 'Confirm your email');
  const move = (who: Partner, email: string, proof: object = {}) =>
    who.call('PUT /api/auth/profile', { body: { email, ...proof } });

  it('is one whose owner has followed a link that was mailed after registering or joining', {
    tags: ['mail.address.1'],
  }, async () => {
    const { ada, ben } = await registerCouple(mailed.app);
    const mails = confirmations(await mailed.send());
    expect(mails.map(({ to }) => to)).toEqual([ada.email, ben.email]);
    expect(ada.user.emailVerified).toBe(false);
    const { code } = linkIn(mails[0] as ReceivedMail);
    expect(await confirm(code)).toBe(204);
    expect(await isVerified(ada)).toBe(true);
    expect(await isVerified(ben)).toBe(false);
    expect(await confirm(code)).toBe(404);
    expect(await confirm('no-such-code')).toBe(404);
    mailed.advance(25 * HOUR);
    expect(await confirm(linkIn(mails[1] as ReceivedMail).code)).toBe(404);
  });

  it('is confirmed again after a change, which needs the password or a passkey', {
    tags: ['mail.address.2'],
  }, async () => {
    const { ada } = await registerCouple(mailed.app);
    const [first] = confirmations(await mailed.send());
    const email = `moved-${crypto.randomUUID()}@example.org`;
    const refused = await move(ada, email);
    expect(refused.problem).toMatchObject({ status: 400, errors: [{ field: 'currentPassword' }] });
    expect((await move(ada, email, { currentPassword: 'not the password' })).status).toBe(400);
    // What does not change needs no password.
    expect((await move(ada, ada.email.toUpperCase())).status).toBe(200);
    const moved = await move(ada, email, { currentPassword: ada.password });
    expect(moved.body).toMatchObject({ email, emailVerified: false });
    const mails = await mailed.send();
    expect(mails.map(({ to, subject }) => ({ to: to.toLowerCase(), subject }))).toEqual([
      { to: email, subject: 'Confirm your email' },
      { to: ada.email, subject: 'Your email was changed' },
    ]);
    expect(await confirm(linkIn(first as ReceivedMail).code)).toBe(404);
    const login = await mailed.nobody().call('POST /api/auth/login', { body: { email, password: ada.password } });
    expect(login.status).toBe(200);
    expect(await confirm(linkIn(mails[0] as ReceivedMail).code)).toBe(204);
    expect(await isVerified(ada)).toBe(true);
  });

  it('is changed with a passkey', { tags: ['mail.address.2'] }, async () => {
    const ada = await registerAda(mailed.app, `keys-${crypto.randomUUID()}@example.org`);
    const { device } = await makePasskey(ada);
    await mailed.send();
    const { body: options } = await mailed.nobody().call('POST /api/auth/passkeys/sign-in/options');
    const email = `moved-${crypto.randomUUID()}@example.org`;
    expect((await move(ada, email, { passkey: device.get(options, {}) })).body.email).toBe(email);
    await mailed.send();
  });

  it('is not what a waiting mail is about once the address has changed', {
    tags: ['mail.address.1'],
  }, async () => {
    const ada = await registerAda(mailed.app, `typo-${crypto.randomUUID()}@example.org`);
    const email = `right-${crypto.randomUUID()}@example.org`;
    await move(ada, email, { currentPassword: ada.password });
    expect(confirmations(await mailed.send()).map(({ to }) => to)).toEqual([email]);
  });

  it('gets the link again on request, ten in a day', { tags: ['mail.address.3'] }, async () => {
    const ada = await registerAda(mailed.app, `again-${crypto.randomUUID()}@example.org`);
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await ada.call('POST /api/auth/email-mail')).status);
    expect(statuses).toEqual([...Array<number>(9).fill(204), 429]);
    const mails = confirmations(await mailed.send());
    // The last one is good, and confirms.
    const codes = mails.map((mail) => linkIn(mail).code);
    const good: string[] = [];
    for (const code of codes) if ((await confirm(code)) === 204) good.push(code);
    expect(good).toHaveLength(1);
    expect((await ada.call('POST /api/auth/email-mail')).status).toBe(409);
    expect((await mailed.nobody().call('POST /api/auth/email-mail')).status).toBe(401);
  });

  it('is confirmed by its link also after the user has set a new password', { tags: ['mail.address.1'] }, async () => {
    const ada = await registerAda(mailed.app, `early-${crypto.randomUUID()}@example.org`);
    const ben = await registerAda(mailed.app, `later-${crypto.randomUUID()}@example.org`);
    const change = (who: Partner) =>
      who.call('PUT /api/auth/password', {
        body: { currentPassword: who.password, newPassword: 'another quiet evening' },
      });
    // While its mail waits, and after it has arrived.
    expect((await change(ada)).status).toBe(204);
    const mails = confirmations(await mailed.send());
    expect(mails.map(({ to }) => to)).toEqual([ada.email, ben.email]);
    expect((await change(ben)).status).toBe(204);
    for (const mail of mails) expect(await confirm(linkIn(mail).code)).toBe(204);
    expect([await isVerified(ada), await isVerified(ben)]).toEqual([true, true]);
    await mailed.send();
  });

  it('is not made by a link of the partner', { tags: ['mail.address.3'] }, async () => {
    const { ada, ben } = await registerCouple(mailed.app);
    const code = await makeAgreedRecovery(ben, ada);
    const body = { newPassword: 'a new one for the two of us' };
    await mailed.nobody().call('POST /api/auth/recovery/{code}', { params: { code }, body });
    const login = await mailed.nobody().call('POST /api/auth/login', {
      body: { email: ada.email, password: body.newPassword },
    });
    expect(login.body.user.emailVerified).toBe(false);
    await mailed.nobody().call('POST /api/auth/recovery-mail', { body: { email: ada.email } });
    expect((await mailed.send()).map(({ subject }) => subject)).not.toContain('Set a new password');
  });
});
