import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, onSqliteOnly } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

describeOnBoth('what one sets about oneself and the two', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
  });
  afterAll(() => app.close());
  const login = (email: string, password: string) =>
    new Caller(app.url).call('POST /api/auth/login', { body: { email, password } });

  describe('the name and e-mail', { tags: ['accounts.settings.1'] }, () => {
    it('can be changed, and the partner sees the name', async () => {
      const { status, body } = await ada.call('PUT /api/auth/profile', {
        body: { displayName: ' Ada L. ', email: 'Countess@Example.org' },
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...ada.user,
        displayName: 'Ada L.',
        email: 'Countess@Example.org',
        partner: { id: ben.user.id, displayName: 'Ben' },
      });
      expect((await ben.call('GET /api/auth/session')).body.user.partner?.displayName).toBe('Ada L.');
      expect((await login('countess@example.org', ada.password)).status).toBe(200);
      expect((await login(ada.email, ada.password)).status).toBe(401);
    });

    onSqliteOnly(engine, () => {
      it.each([{}, { email: null }, { email: ' ' }])('the e-mail stays where it is %j', async (given) => {
        const before = (await ben.call('GET /api/auth/session')).body.user.email;
        const { body } = await ben.call('PUT /api/auth/profile', { body: { displayName: 'Ben', ...given } });
        expect(body.email).toBe(before);
      });
    });

    it("can change its case, but cannot be another user's", async () => {
      const change = (email: string) => ben.call('PUT /api/auth/profile', { body: { displayName: 'Ben', email } });
      expect((await change(ben.email.toUpperCase())).body.email).toBe(ben.email.toUpperCase());
      const { email } = (await ada.call('GET /api/auth/session')).body.user;
      expect((await change(email.toUpperCase())).status).toBe(409);
      expect((await ben.call('GET /api/auth/session')).body.user.email).toBe(ben.email.toUpperCase());
    });

    it('how dates and times are read is one’s own, and stays if it is not named', {
      tags: ['accounts.settings.6'],
    }, async () => {
      const change = (body: object) => ben.call('PUT /api/auth/profile', { body });
      const { displayName, email } = (await ben.call('GET /api/auth/session')).body.user;
      expect((await change({ formats: 'international' })).body).toMatchObject({
        formats: 'international',
        displayName,
        email,
      });
      expect((await change({ displayName: null, formats: null })).body).toMatchObject({
        formats: 'international',
        displayName,
      });
      expect((await ada.call('GET /api/auth/session')).body.user.formats).toBe('us');
      for (const formats of ['European', '']) {
        expect((await ben.request('PUT /api/auth/profile', { body: { formats } })).status).toBe(400);
      }
      expect((await change({ formats: 'us' })).body.formats).toBe('us');
    });

    it('go to only one of two concurrent requests', async () => {
      const change = (who: Partner) =>
        who.call('PUT /api/auth/profile', { body: { displayName: 'Us', email: 'both@example.org' } });
      const both = await Promise.all([change(ada), change(ben)]);
      expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    });

    onSqliteOnly(engine, () => {
      it.each([
        ['displayName', { displayName: '' }],
        ['displayName', { displayName: 'a'.repeat(61) }],
        ['email', { displayName: 'Ada', email: 'nowhere' }],
      ])('refuse a wrong %s', async (field, body) => {
        const { status, problem } = await ada.call('PUT /api/auth/profile', { body });
        expect([status, problem.errors.map((error) => error.field)]).toEqual([400, [field]]);
      });
    });
  });

  onSqliteOnly(engine, () => {
    it('tries only so many e-mails from an address, in the settings and with an invitation', {
      tags: ['accounts.signin.4'],
    }, async () => {
      const limited = await startTestApp(engine, { registrations: 5 });
      const { ada: eve } = await registerCouple(limited);
      const alone = await registerAda(limited);
      const change = async (body: { displayName: string; email?: string }) =>
        (await eve.call('PUT /api/auth/profile', { body })).status;
      for (const displayName of ['E', 'Ev', 'Eve']) expect(await change({ displayName, email: eve.email })).toBe(200);
      // Ben's joining was the first.
      const tried = [alone.email, 'free@example.org', alone.email, 'free2@example.org', alone.email];
      const statuses = [];
      for (const email of tried) statuses.push(await change({ displayName: 'Eve', email }));
      expect(statuses).toEqual([409, 200, 409, 200, 429]);
      const { code } = (await alone.call('POST /api/auth/invitations')).body;
      const join = { code, email: alone.email, displayName: 'Mallory', password: alone.password };
      expect((await new Caller(limited.url).call('POST /api/auth/join', { body: join })).status).toBe(429);
      expect(await change({ displayName: 'Still Eve' })).toBe(200);
      await limited.close();
    });
  });

  describe('the password', { tags: ['accounts.settings.1'] }, () => {
    it('ends the other sessions when it is changed', { tags: ['accounts.settings.3'] }, async () => {
      const { ada: carla, ben: dan } = await registerCouple(app);
      const other = (await login(carla.email, carla.password)).body.token;
      const body = { currentPassword: carla.password, newPassword: ' a new evening, untrimmed ' };
      expect((await carla.call('PUT /api/auth/password', { body })).status).toBe(204);
      expect((await carla.call('GET /api/auth/session')).status).toBe(200);
      expect((await dan.call('GET /api/auth/session')).status).toBe(200);
      expect((await new Caller(app.url, other).call('GET /api/auth/session')).status).toBe(401);
      expect((await login(carla.email, carla.password)).status).toBe(401);
      expect((await login(carla.email, body.newPassword.trim())).status).toBe(401);
      expect((await login(carla.email, body.newPassword)).status).toBe(200);
    });

    onSqliteOnly(engine, () => {
      it.each([
        ['currentPassword', { currentPassword: 'not my password' }],
        ['currentPassword', { currentPassword: '' }],
        ['newPassword', { newPassword: 'short' }],
        ['newPassword', { newPassword: 'Qwertyuiop' }],
        ['newPassword', { newPassword: undefined }],
      ])('refuses a wrong %s: %j', { tags: ['accounts.settings.2'] }, async (field, wrong) => {
        const body = { currentPassword: ada.password, newPassword: 'a new evening at home', ...wrong } as Record<
          string,
          string
        >;
        const { status, problem } = await ada.request('PUT /api/auth/password', { body });
        expect([status, problem.errors.map((error) => error.field)]).toEqual([400, [field]]);
        expect((await ada.call('GET /api/auth/session')).status).toBe(200);
      });
    });

    it('does not accept the old password while it is being changed', async () => {
      const { ada: carla } = await registerCouple(app);
      const body = { currentPassword: carla.password, newPassword: 'a new evening at home' };
      const [changed, ...logins] = await Promise.all([
        carla.call('PUT /api/auth/password', { body }),
        ...Array.from({ length: 6 }, () => login(carla.email, carla.password)),
      ]);
      expect(changed.status).toBe(204);
      for (const { status, body } of logins) {
        if (status === 200)
          expect((await new Caller(app.url, body.token).call('GET /api/auth/session')).status).toBe(401);
      }
    });
  });

  describe('the couple', { tags: ['accounts.settings.1'] }, () => {
    it('changes the given fields and leaves absent ones', async () => {
      const change = async (body: object) => {
        const { togetherSince, timeZone } = (await ada.call('PUT /api/couple', { body })).body;
        return [togetherSince, timeZone];
      };
      expect(await change({ togetherSince: '2019-06-01' })).toEqual(['2019-06-01', 'Europe/Rome']);
      expect(await change({ timeZone: 'asia/tokyo' })).toEqual(['2019-06-01', 'Asia/Tokyo']);
      expect(await change({})).toEqual(['2019-06-01', 'Asia/Tokyo']);
      expect(await change({ timeZone: null })).toEqual(['2019-06-01', 'Asia/Tokyo']);
      expect((await ben.call('GET /api/auth/session')).body.user.couple).toMatchObject({
        togetherSince: '2019-06-01',
        timeZone: 'Asia/Tokyo',
      });
      expect(await change({ togetherSince: null, timeZone: 'UTC' })).toEqual([null, 'UTC']);
      expect(await change({ togetherSince: '2020-02-29' })).toEqual(['2020-02-29', 'UTC']);
      expect(await change({ togetherSince: '' })).toEqual([null, 'UTC']);
    });

    onSqliteOnly(engine, () => {
      it.each([
        ['togetherSince', { togetherSince: '2019-02-29' }],
        ['togetherSince', { togetherSince: '2019-06-01T00:00:00Z' }],
        ['togetherSince', { togetherSince: 20190601 }],
        ['togetherSince', { togetherSince: '0001-01-01' }],
        ['togetherSince', { togetherSince: '2131-01-01' }],
        ['timeZone', { timeZone: 'Middle/Earth' }],
        ['timeZone', { timeZone: 1 }],
      ])('refuses a wrong %s: %j', { tags: ['accounts.settings.2'] }, async (field, body) => {
        const { status, problem } = await ada.request('PUT /api/couple', { body });
        expect([status, problem.errors.map((error) => error.field)]).toEqual([400, [field]]);
      });
    });

    it("is only one's own", async () => {
      const { ada: other } = await registerCouple(app);
      await ada.call('PUT /api/couple', { body: { togetherSince: '2001-01-01' } });
      expect((await other.call('GET /api/auth/session')).body.user.couple.togetherSince).toBeNull();
    });
  });
});
