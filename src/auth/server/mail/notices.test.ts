import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { linkIn, type ReceivedMail } from '../../../../tests/support/mail-server.ts';
import { type MailedApp, startMailedApp } from '../../../../tests/support/mailed-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { DAY } from '../../../base/durations.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { resumeCouple, suspendCouple } from '../operator/suspension-store.ts';
import { resetPassword } from '../recovery/operator-recovery.ts';

describeOnSqlite('a notice by mail', (engine) => {
  let mailed: MailedApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    mailed = await startMailedApp(engine);
  });
  beforeEach(async () => {
    mailed.advance(DAY);
    ({ ada, ben } = await registerCouple(mailed.app));
    await mailed.send();
  });
  afterAll(() => mailed.close());

  const sent = async () => (await mailed.send()).map(({ to, subject }) => ({ to, subject }));
  const login = (cookie?: string) =>
    mailed
      .nobody()
      .call(
        'POST /api/auth/login',
        { body: { email: ada.email, password: ada.password } },
        { headers: cookie === undefined ? {} : { cookie } },
      );
  const links = async () => (await ada.call('GET /api/auth/recovery')).body;
  const stop = async (stopCode: string) =>
    (await mailed.nobody().call('DELETE /api/auth/recovery/{stopCode}', { params: { stopCode } })).status;

  it('tells of a link that the partner made, with a link that stops it', { tags: ['mail.notices.1'] }, async () => {
    await ben.call('POST /api/auth/recovery');
    const [mail] = await mailed.send();
    expect(mail).toMatchObject({ to: ada.email, subject: 'A link for a new password' });
    expect(mail?.text).toContain('Ben made a link for a new password for you.');
    const { url, code } = linkIn(mail as ReceivedMail);
    expect(url).toMatch(new RegExp(`^${mailed.app.url}/auth/recovery/stop/[\\w-]{22}$`));
    // Opening it stops nothing.
    await fetch(`${mailed.app.url}/auth/recovery/stop/${code}`);
    expect(await links()).toHaveLength(1);
    expect(await stop('no-such-code')).toBe(404);
    expect(await stop(code)).toBe(204);
    expect(await links()).toEqual([]);
    expect(await stop(code)).toBe(404);
  });

  it('is not sent for a link that was stopped before', { tags: ['mail.notices.1'] }, async () => {
    await ben.call('POST /api/auth/recovery');
    await ada.call('DELETE /api/auth/recovery');
    expect(await mailed.send()).toEqual([]);
  });

  it('tells of the newest of many links, and none can be made that it would not tell of', {
    tags: ['mail.notices.1'],
  }, async () => {
    for (let count = 0; count < 20; count += 1) expect((await ben.call('POST /api/auth/recovery')).status).toBe(201);
    expect((await ben.call('POST /api/auth/recovery')).status).toBe(429);
    const mails = await mailed.send();
    expect(mails).toHaveLength(1);
    expect(await stop(linkIn(mails[0] as ReceivedMail).code)).toBe(204);
    expect(await links()).toEqual([]);
  });

  it('tells of a new password and of passkeys', { tags: ['mail.notices.2'] }, async () => {
    const { passkey } = await makePasskey(ada);
    expect(await sent()).toEqual([{ to: ada.email, subject: 'A passkey was added' }]);
    await ada.call('DELETE /api/auth/passkeys/{id}', { params: { id: passkey.id } });
    expect(await sent()).toEqual([{ to: ada.email, subject: 'A passkey was removed' }]);
    const body = { currentPassword: ada.password, newPassword: 'a new one for the two of us' };
    await ada.call('PUT /api/auth/password', { body });
    expect(await sent()).toEqual([{ to: ada.email, subject: 'Your password was changed' }]);
    const whose = { coupleId: ada.user.couple.id as CoupleId, userId: ada.user.id as UserId };
    await mailed.app.db.write((tx) => resetPassword(mailed.deps, tx, whose, 'a hash'));
    expect(await sent()).toEqual([{ to: ada.email, subject: 'Your password was changed' }]);
  });

  it('tells of a session without the cookie of an earlier one', { tags: ['mail.notices.3'] }, async () => {
    await login(ada.cookie);
    expect(await sent()).toEqual([]);
    await login();
    await login(ben.cookie);
    const notice = { to: ada.email, subject: 'A new device is signed in' };
    expect(await sent()).toEqual([notice, notice]);
  });

  it('has its times as the user writes them, in their zone', { tags: ['mail.sending.6'] }, async () => {
    await ada.call('PUT /api/couple', { body: { timeZone: 'Asia/Tokyo' } });
    await ada.call('PUT /api/auth/profile', { body: { formats: 'international' } });
    const at = mailed.now();
    await login();
    const [mail] = await mailed.send();
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', day: 'numeric', month: 'long' }).format(at);
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(day);
    expect(mail?.text).not.toMatch(/[AP]M/);
  });

  it('stops at twenty of a kind in a day', { tags: ['mail.notices.2'] }, async () => {
    for (let count = 0; count < 22; count += 1) await login();
    expect(await sent()).toHaveLength(20);
  });

  it('waits while the space is suspended, and is dropped with the account', { tags: ['mail.sending.7'] }, async () => {
    const coupleId = ada.user.couple.id as CoupleId;
    await login();
    await mailed.app.db.write((tx) => suspendCouple(tx, coupleId, mailed.now()));
    expect(await sent()).toEqual([]);
    await mailed.app.db.write((tx) => resumeCouple(tx, coupleId, mailed.now()));
    expect(await sent()).toHaveLength(1);
    await login();
    expect((await ada.call('POST /api/auth/leave', { body: { currentPassword: ada.password } })).status).toBe(204);
    expect(await sent()).toEqual([]);
  });
});
