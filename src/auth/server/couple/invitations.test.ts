import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { joinAsBen, registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { DAY } from '../../../base/durations.ts';
import { parseInstant } from '../../../base/instants.ts';
import { hashOfSecret } from '../secrets.ts';

const PASSWORD = 'a quiet evening at home';
const NEW_PASSWORD = 'a new evening at home';

describeOnBoth('from one partner to the other', (engine) => {
  let clock = Date.now();
  let people = 0;
  let app: TestApp;
  beforeAll(async () => {
    // Trusts x-forwarded-for, so that the many wrong codes come from many addresses.
    app = await startTestApp(engine, { env: { TRUST_PROXY: '1' }, now: () => clock });
  });
  afterAll(() => app.close());
  const anywhere = () => {
    people += 1;
    return { headers: { 'x-forwarded-for': `203.0.${Math.floor(people / 250)}.${(people % 250) + 1}` } };
  };
  const newEmail = () => {
    people += 1;
    return `person${people}@example.org`;
  };
  const newAda = () => registerAda(app, newEmail());
  const nobody = () => new Caller(app.url);
  const look = (code: string) => nobody().call('GET /api/auth/invitations/{code}', { params: { code } }, anywhere());
  const join = (code: string, changes: object = {}) =>
    nobody().request(
      'POST /api/auth/join',
      { body: { code, email: newEmail(), displayName: 'Ben', password: PASSWORD, ...changes } },
      anywhere(),
    );

  describe('an invitation', () => {
    it('is a link that names the inviter and lets the partner join', async () => {
      const ada = await newAda();
      const { status, body } = await ada.call('POST /api/auth/invitations');
      expect(status).toBe(201);
      expect(body.url).toBe(`${app.url}/auth/join/${body.code}`);
      expect(parseInstant(body.expiresAt)).toBe(clock + 7 * DAY);
      const seen = await look(body.code);
      expect([seen.status, seen.body]).toEqual([200, { inviterName: 'Ada', expiresAt: body.expiresAt }]);

      const ben = await joinAsBen(app, ada, newEmail());
      expect(ben.user.partner).toEqual({ id: ada.user.id, displayName: 'Ada' });
      expect(ben.user.couple).toEqual(ada.user.couple);
      const { body: session } = await ada.call('GET /api/auth/session');
      expect(session.user.partner).toEqual({ id: ben.user.id, displayName: 'Ben' });
      expect(ben.cookie).toMatch(/^our-love-story-\w+=/);
    });

    it('can be used once', { tags: ['accounts.partner.1'] }, async () => {
      const code = await codeOf(await newAda());
      expect((await join(code)).status).toBe(201);
      expect((await join(code)).status).toBe(404);
      expect((await look(code)).status).toBe(404);
    });

    it('can be used by only one of many concurrent requests', async () => {
      const ada = await newAda();
      const code = await codeOf(ada);
      const all = await Promise.all(Array.from({ length: 8 }, () => join(code)));
      expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(404)]);
      const users = app.db.read
        .selectFrom('users')
        .select('id')
        .where('coupleId', '=', ada.user.couple.id as never);
      expect(await users.execute()).toHaveLength(2);
    });

    it('is valid for seven days', { tags: ['accounts.partner.1'] }, async () => {
      const code = await codeOf(await newAda());
      clock += 7 * DAY - 1;
      expect((await look(code)).status).toBe(200);
      clock += 1;
      expect((await look(code)).status).toBe(404);
      expect((await join(code)).status).toBe(404);
    });

    it('becomes invalid when a new one is made', { tags: ['accounts.partner.1'] }, async () => {
      const ada = await newAda();
      const old = await codeOf(ada);
      const code = await codeOf(ada);
      expect((await look(old)).status).toBe(404);
      expect((await join(old)).status).toBe(404);
      expect((await join(code)).status).toBe(201);
    });

    it('is not available for a third partner', { tags: ['accounts.partner.1'] }, async () => {
      const { ada, ben } = await registerCouple(app);
      expect((await ada.call('POST /api/auth/invitations')).status).toBe(409);
      expect((await ben.call('POST /api/auth/invitations')).status).toBe(409);
    });

    it('stays valid when joining is refused, and is checked before anything else', async () => {
      const ada = await newAda();
      const code = await codeOf(ada);
      expect((await join(code, { email: ada.email.toUpperCase() })).status).toBe(409);
      const wrong = await join(code, { password: 'password123', displayName: '' });
      expect([wrong.status, wrong.problem.errors.map(({ field }) => field)]).toEqual([
        400,
        ['displayName', 'password'],
      ]);
      expect((await join('wrong', { password: 'short' })).status).toBe(404);
      expect((await join('', { password: 'short' })).status).toBe(404);
      expect((await nobody().request('POST /api/auth/join', { body: {} }, anywhere())).status).toBe(400);
      expect((await join(code)).status).toBe(201);
    });

    it('cannot be used as a link for a new password, nor the other way around', async () => {
      const code = await codeOf(await newAda());
      const body = { newPassword: NEW_PASSWORD };
      const recover = await nobody().call('POST /api/auth/recovery/{code}', { params: { code }, body }, anywhere());
      expect(recover.status).toBe(404);
      const { ada, ben } = await registerCouple(app);
      const recovery = await makeAgreedRecovery(ben, ada);
      expect((await look(recovery)).status).toBe(404);
      expect((await join(recovery)).status).toBe(404);
    });

    it('is stored only as a hash', async () => {
      const code = await codeOf(await newAda());
      const rows = JSON.stringify(await app.db.read.selectFrom('codes').selectAll().execute());
      expect(rows).not.toContain(code);
      expect(rows).toContain(hashOfSecret(code));
    });

    it('leads to the public address if there is one', async () => {
      const named = await startTestApp(engine, { env: { PUBLIC_URL: 'https://love.example/' } });
      const { body } = await (await registerAda(named)).call('POST /api/auth/invitations');
      expect(body.url).toBe(`https://love.example/auth/join/${body.code}`);
      await named.close();
    });
  });

  async function codeOf(ada: Partner): Promise<string> {
    return (await ada.call('POST /api/auth/invitations')).body.code;
  }
});
