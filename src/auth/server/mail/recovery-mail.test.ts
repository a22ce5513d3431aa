import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { linkIn, type ReceivedMail } from '../../../../tests/support/mail-server.ts';
import { type MailedApp, startMailedApp } from '../../../../tests/support/mailed-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { DAY, HOUR, MINUTE } from '../../../base/durations.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { suspendCouple } from '../operator/suspension-store.ts';
import { createOperatorRecovery } from '../recovery/operator-recovery.ts';

const NEW_PASSWORD = 'a new one for the two of us';

describeOnBoth('the mail with a link for a new password', (engine) => {
  let mailed: MailedApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    mailed = await startMailedApp(engine);
  });
  beforeEach(async () => {
    // So that the tries of one test don't count in the next.
    mailed.advance(DAY);
    ({ ada, ben } = await registerCouple(mailed.app));
    await confirm(ada);
  });
  afterAll(() => mailed.close());

  const ask = (email: string) => mailed.nobody().call('POST /api/auth/recovery-mail', { body: { email } });
  const confirm = async ({ email }: Partner) => {
    const mails = await mailed.send();
    const { code } = linkIn(mails.find(({ to, subject }) => to === email && /Confirm/.test(subject)) as ReceivedMail);
    expect((await mailed.nobody().call('POST /api/auth/email/{code}', { params: { code } })).status).toBe(204);
  };
  const recover = async (code: string, more: object = {}) =>
    mailed.nobody().call('POST /api/auth/recovery/{code}', {
      params: { code },
      body: { newPassword: NEW_PASSWORD, ...more },
    });
  const isConfirmed = async () => (await login(NEW_PASSWORD)).body.user.emailVerified;
  const login = (password: string) =>
    mailed.nobody().call('POST /api/auth/login', { body: { email: ada.email, password } });

  it('goes to a confirmed address only, and every answer is the same', { tags: ['mail.recovery.1'] }, async () => {
    const stranger = `nobody-${crypto.randomUUID()}@example.org`;
    for (const email of [ada.email.toUpperCase(), ben.email, stranger]) {
      const { status, body } = await ask(email);
      expect({ status, body }).toEqual({ status: 204, body: null });
    }
    const mails = await mailed.send();
    expect(mails.map(({ to }) => to)).toEqual([ada.email]);
    expect(linkIn(mails[0] as ReceivedMail).url).toMatch(new RegExp(`^${mailed.app.url}/auth/recover/[\\w-]{22}$`));
  });

  it('works once, within an hour of its being sent', { tags: ['mail.recovery.1', 'mail.recovery.3'] }, async () => {
    await ask(ada.email);
    mailed.advance(5 * HOUR);
    const [first] = await mailed.send();
    mailed.advance(59 * MINUTE);
    const { code } = linkIn(first as ReceivedMail);
    expect((await recover(code)).status).toBe(204);
    expect((await recover(code)).status).toBe(404);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    await mailed.send();
    await ask(ada.email);
    const [late] = await mailed.send();
    mailed.advance(61 * MINUTE);
    expect((await recover(linkIn(late as ReceivedMail).code)).status).toBe(404);
  });

  it('of an earlier try stays good, and a newer one ends it', { tags: ['mail.recovery.3'] }, async () => {
    await ask(ada.email);
    mailed.server.losesAnswers = true;
    const [first] = await mailed.send();
    mailed.server.losesAnswers = false;
    mailed.advance(2 * MINUTE);
    const [second] = await mailed.send();
    const codes = [first, second].map((mail) => linkIn(mail as ReceivedMail).code);
    expect(new Set(codes).size).toBe(2);
    const isGood = async (code: string) => {
      // A common password is refused after the code is looked up.
      const { status } = await recover(code, { newPassword: 'password12' });
      return status === 400;
    };
    expect(await Promise.all(codes.map(isGood))).toEqual([true, true]);
    await ask(ada.email);
    const [third] = await mailed.send();
    expect(await Promise.all(codes.map(isGood))).toEqual([false, false]);
    expect(await isGood(linkIn(third as ReceivedMail).code)).toBe(true);
  });

  it('is sent three times in an hour, and the last link stays good', { tags: ['mail.recovery.2'] }, async () => {
    const sent: ReceivedMail[] = [];
    for (let count = 0; count < 5; count += 1) {
      expect((await ask(ada.email)).status).toBe(204);
      sent.push(...(await mailed.send()));
    }
    expect(sent).toHaveLength(3);
    expect((await recover(linkIn(sent[2] as ReceivedMail).code)).status).toBe(204);
    await mailed.send();
    mailed.advance(61 * MINUTE);
    await ask(ada.email);
    expect(await mailed.send()).toHaveLength(1);
  });

  it('is refused with 429 after ten requests from one IP address, for 15 minutes', {
    tags: ['mail.recovery.2'],
  }, async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await ask(`nobody-${count}-${crypto.randomUUID()}@example.org`)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
    expect((await ask(ada.email)).headers.get('retry-after')).toMatch(/^\d+$/);
    mailed.advance(15 * MINUTE);
    expect((await ask(ada.email)).status).toBe(204);
  });

  it('is not sent for a suspended space', { tags: ['mail.sending.7'] }, async () => {
    const coupleId = ada.user.couple.id as CoupleId;
    await mailed.app.db.write((tx) => suspendCouple(tx, coupleId, mailed.now()));
    expect((await ask(ada.email)).status).toBe(204);
    expect(await mailed.send()).toEqual([]);
  });

  it('ends every other way in: sessions, links, also those that wait, the calendar and passkeys', {
    tags: ['mail.recovery.4'],
  }, async () => {
    const { device } = await makePasskey(ada);
    const feed = (await ada.call('POST /api/calendar')).body.url;
    const made = (await ben.call('POST /api/auth/recovery')).body.url.split('/').at(-1) ?? '';
    const whose = { coupleId: ada.user.couple.id as CoupleId, userId: ada.user.id as UserId };
    const operators = await mailed.app.db.write((tx) => createOperatorRecovery(tx, whose, mailed.now()));
    await ask(ada.email);
    const sent = (await mailed.send()).find(({ subject }) => subject === 'Set a new password');
    // Another request, whose mail still waits.
    await ask(ada.email);
    expect((await recover(operators.split('/').at(-1) ?? '')).status).toBe(204);
    const mails = await mailed.send();
    expect(mails.map(({ subject }) => subject)).toEqual(['Your password was changed']);
    expect(mails[0]?.text).toContain('Your passkeys were removed.');
    for (const code of [made, linkIn(sent as ReceivedMail).code]) expect((await recover(code)).status).toBe(404);
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    expect((await fetch(feed)).status).toBe(404);
    const { body: options } = await mailed.nobody().call('POST /api/auth/passkeys/sign-in/options');
    const signIn = await mailed.nobody().call('POST /api/auth/passkeys/sign-in', { body: device.get(options, {}) });
    expect(signIn.status).toBe(401);
  });

  it('keeps the passkeys on request', { tags: ['mail.recovery.4'] }, async () => {
    const { device } = await makePasskey(ada);
    await ask(ada.email);
    const sent = (await mailed.send()).find(({ subject }) => subject === 'Set a new password');
    expect((await recover(linkIn(sent as ReceivedMail).code, { keepPasskeys: true })).status).toBe(204);
    const { body: options } = await mailed.nobody().call('POST /api/auth/passkeys/sign-in/options');
    const signIn = await mailed.nobody().call('POST /api/auth/passkeys/sign-in', { body: device.get(options, {}) });
    expect(signIn.status).toBe(200);
  });

  it('ends with a change of the email', { tags: ['mail.recovery.5'] }, async () => {
    await ask(ada.email);
    const [sent] = await mailed.send();
    const email = `new-${crypto.randomUUID()}@example.org`;
    await ada.call('PUT /api/auth/profile', { body: { email, currentPassword: ada.password } });
    expect((await recover(linkIn(sent as ReceivedMail).code)).status).toBe(404);
  });

  it('leaves the address confirmed', { tags: ['mail.recovery.5'] }, async () => {
    await ask(ada.email);
    const [sent] = await mailed.send();
    await recover(linkIn(sent as ReceivedMail).code);
    expect(await isConfirmed()).toBe(true);
  });

  it('of the operator leaves the address to be confirmed', { tags: ['mail.recovery.5'] }, async () => {
    const whose = { coupleId: ada.user.couple.id as CoupleId, userId: ada.user.id as UserId };
    const operators = await mailed.app.db.write((tx) => createOperatorRecovery(tx, whose, mailed.now()));
    await recover(operators.split('/').at(-1) ?? '');
    expect(await isConfirmed()).toBe(false);
    await mailed.send();
    await ask(ada.email);
    expect(await mailed.send()).toEqual([]);
  });

  it('of the partner leaves the address to be confirmed', { tags: ['mail.recovery.5'] }, async () => {
    expect((await recover(await makeAgreedRecovery(ben, ada))).status).toBe(204);
    expect(await isConfirmed()).toBe(false);
  });

  it('is not sent after a day in which nothing could be sent', { tags: ['mail.sending.5'] }, async () => {
    await ask(ada.email);
    mailed.advance(DAY + MINUTE);
    expect(await mailed.send()).toEqual([]);
  });
});
