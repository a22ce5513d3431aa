import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { linkIn, type ReceivedMail } from '../../../../tests/support/mail-server.ts';
import { type MailedApp, startMailedApp } from '../../../../tests/support/mailed-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerAda } from '../../../../tests/support/register-couple.ts';
import { DAY } from '../../../base/durations.ts';

describeOnBoth('the mail with an invitation', (engine) => {
  let mailed: MailedApp;
  beforeAll(async () => {
    mailed = await startMailedApp(engine);
  });
  afterAll(() => mailed.close());

  const address = () => `${crypto.randomUUID()}@example.org`;
  const register = () => registerAda(mailed.app, address());
  const invite = async (who: Partner) => (await who.call('POST /api/auth/invitations')).body.code;
  const mail = (who: Caller, code: string, email = address()) =>
    who.call('POST /api/auth/invitations/{code}/mail', { params: { code }, body: { email } });
  const look = async (code: string) =>
    (await mailed.nobody().call('GET /api/auth/invitations/{code}', { params: { code } })).status;
  const join = async (code: string) => {
    const body = { code, email: address(), displayName: 'Ben', password: 'another quiet evening' };
    return (await mailed.nobody().call('POST /api/auth/join', { body })).status;
  };
  const invitations = async () => (await mailed.send()).filter(({ subject }) => /invitation/.test(subject));

  it('carries a second code; both are good until one is used', { tags: ['mail.invitations.1'] }, async () => {
    for (const used of ['the link', 'the mail']) {
      const ada = await register();
      const code = await invite(ada);
      const ben = address();
      expect((await mail(ada, code, ben)).status).toBe(204);
      const [sent] = await invitations();
      expect(sent).toMatchObject({ to: ben });
      expect(sent?.text).toContain('Ada invites you');
      const mailedCode = linkIn(sent as ReceivedMail).code;
      expect(mailedCode).not.toBe(code);
      expect([await look(code), await look(mailedCode)]).toEqual([200, 200]);
      expect(await join(used === 'the link' ? code : mailedCode)).toBe(201);
      expect([await look(code), await look(mailedCode)]).toEqual([404, 404]);
    }
  });

  it('ends with its invitation, after seven days or with a new one', { tags: ['mail.invitations.1'] }, async () => {
    const ada = await register();
    const first = await invite(ada);
    await mail(ada, first);
    const [sent] = await invitations();
    await mail(ada, first);
    const second = await invite(ada);
    expect(await look(linkIn(sent as ReceivedMail).code)).toBe(404);
    // The one that waited is not sent.
    expect(await invitations()).toEqual([]);
    await mail(ada, second);
    const [late] = await invitations();
    mailed.advance(6.9 * DAY);
    expect(await look(linkIn(late as ReceivedMail).code)).toBe(200);
    mailed.advance(0.2 * DAY);
    expect(await look(linkIn(late as ReceivedMail).code)).toBe(404);
  });

  it('is 404 for the code of another couple, as for one that does not exist', {
    tags: ['mail.invitations.2'],
  }, async () => {
    const [ada, eve] = [await register(), await register()];
    expect((await mail(eve, await invite(ada))).status).toBe(404);
    expect((await mail(ada, 'no-such-code')).status).toBe(404);
  });

  it('is 401 for somebody who is not signed in', { tags: ['mail.invitations.2'] }, async () => {
    expect((await mail(mailed.nobody(), await invite(await register()))).status).toBe(401);
  });

  it('is 429 for the sixth within a day', { tags: ['mail.invitations.2'] }, async () => {
    const ada = await register();
    const code = await invite(ada);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await mail(ada, code)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    expect(await invitations()).toHaveLength(5);
    mailed.advance(DAY);
    expect((await mail(ada, code)).status).toBe(204);
    await mailed.send();
  });

  it.each(['win at evil.example', 'ada@evil.example', 'https://evil.example/', 'evil。example', 'Ａda evil．example'])(
    'leaves the name %s out',
    { tags: ['mail.invitations.2'] },
    async (displayName) => {
      const ada = await register();
      await ada.call('PUT /api/auth/profile', { body: { displayName } });
      await mail(ada, await invite(ada));
      const [sent] = await invitations();
      expect(sent?.text).toContain('You are invited to Our Love Story');
      expect(`${sent?.text} ${sent?.html}`).not.toContain('evil');
    },
  );

  it('has a name as text, not as markup', { tags: ['mail.sending.6'] }, async () => {
    const ada = await register();
    await ada.call('PUT /api/auth/profile', { body: { displayName: 'Ada <b>& "J. R."' } });
    await mail(ada, await invite(ada));
    const [sent] = await invitations();
    expect(sent?.text).toContain('Ada <b>& "J. R." invites you');
    expect(sent?.html).toContain('Ada &lt;b&gt;&amp; &quot;J. R.&quot; invites you');
  });
});
