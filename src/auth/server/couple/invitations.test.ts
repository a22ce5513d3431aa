import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/support/app.ts';
import { Caller, joinAsBen, type Partner, registerAda, registerCouple } from '../../../../tests/support/client.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { DAY, HOUR, parseInstant } from '../../../base/time.ts';
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

    it('can be used once', async () => {
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

    it('is valid for seven days', async () => {
      const code = await codeOf(await newAda());
      clock += 7 * DAY - 1;
      expect((await look(code)).status).toBe(200);
      clock += 1;
      expect((await look(code)).status).toBe(404);
      expect((await join(code)).status).toBe(404);
    });

    it('becomes invalid when a new one is made', async () => {
      const ada = await newAda();
      const old = await codeOf(ada);
      const code = await codeOf(ada);
      expect((await look(old)).status).toBe(404);
      expect((await join(old)).status).toBe(404);
      expect((await join(code)).status).toBe(201);
    });

    it('is not available for a third partner', async () => {
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

    it('cannot be used as a recovery link, nor the other way around', async () => {
      const code = await codeOf(await newAda());
      expect((await recover(code)).status).toBe(404);
      const { ben } = await registerCouple(app);
      expect((await look(await recoveryOf(ben))).status).toBe(404);
      expect((await join(await recoveryOf(ben))).status).toBe(404);
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

  describe('a recovery', () => {
    it('lets the partner set a new password, and ends all of their sessions', async () => {
      const { ada, ben } = await registerCouple(app);
      const { status, body } = await ben.call('POST /api/auth/recovery');
      expect(status).toBe(201);
      expect(parseInstant(body.expiresAt)).toBe(clock + HOUR);
      expect(body.url).toMatch(new RegExp(`^${app.url}/auth/recover/[\\w-]{22}$`));
      expect((await recover(body.url.split('/').at(-1) ?? '')).status).toBe(204);

      expect((await ada.call('GET /api/auth/session')).status).toBe(401);
      expect((await ben.call('GET /api/auth/session')).status).toBe(200);
      const login = (who: Partner, password: string) =>
        nobody().call('POST /api/auth/login', { body: { email: who.email, password } }, anywhere());
      expect((await login(ada, ada.password)).status).toBe(401);
      expect((await login(ada, NEW_PASSWORD)).status).toBe(200);
      expect((await login(ben, ben.password)).status).toBe(200);
    });

    it('can be used once, within an hour, by one of many concurrent requests', async () => {
      const { ben } = await registerCouple(app);
      const code = await recoveryOf(ben);
      clock += HOUR - 1;
      const all = await Promise.all(Array.from({ length: 5 }, () => recover(code)));
      expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 404, 404, 404, 404]);
      const late = await recoveryOf(ben);
      clock += HOUR;
      expect((await recover(late)).status).toBe(404);
    });

    it('is checked before the password, and stays valid when the password is refused', async () => {
      const { ben } = await registerCouple(app);
      const code = await recoveryOf(ben);
      expect((await recover('wrong', 'short')).status).toBe(404);
      const short = await recover(code, 'short');
      expect([short.status, short.problem.errors.map(({ field }) => field)]).toEqual([400, ['newPassword']]);
      expect((await recover(code)).status).toBe(204);
    });

    it('is not available without a partner', async () => {
      expect((await (await newAda()).call('POST /api/auth/recovery')).status).toBe(409);
    });

    it('becomes invalid when a new one is made, and when the partner has changed the password', async () => {
      const { ada, ben } = await registerCouple(app);
      const old = await recoveryOf(ben);
      const code = await recoveryOf(ben);
      expect((await recover(old)).status).toBe(404);
      const body = { currentPassword: ada.password, newPassword: 'changed by herself' };
      expect((await ada.call('PUT /api/auth/password', { body })).status).toBe(204);
      expect((await recover(code)).status).toBe(404);
    });

    it("does not invalidate the link that the partner made for one's own password", async () => {
      const { ada, ben } = await registerCouple(app);
      const forAda = await recoveryOf(ben);
      await recoveryOf(ada);
      expect((await recover(forAda)).status).toBe(204);
    });
  });

  async function codeOf(ada: Partner): Promise<string> {
    return (await ada.call('POST /api/auth/invitations')).body.code;
  }

  async function recoveryOf(partner: Partner): Promise<string> {
    return (await partner.call('POST /api/auth/recovery')).body.url.split('/').at(-1) ?? '';
  }

  function recover(code: string, newPassword = NEW_PASSWORD) {
    return nobody().call('POST /api/auth/recovery/{code}', { params: { code }, body: { newPassword } }, anywhere());
  }
});
