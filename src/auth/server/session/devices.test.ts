import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { currentSessionId } from '../../../../tests/support/current-session-id.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { DAY, MINUTE } from '../../../base/durations.ts';

describeOnBoth('the devices', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => clock });
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const login = (who: Partner, headers: Record<string, string> = {}) =>
    nobody().call('POST /api/auth/login', { body: { email: who.email, password: who.password } }, { headers });
  const asOurPage = (cookie: string) => ({ headers: { cookie, origin: app.url } });
  const isSignedIn = async (token: string) =>
    (await new Caller(app.url, token).call('GET /api/auth/session')).status === 200;

  it('are listed by readable names, with the current one marked', { tags: ['accounts.sessions.10'] }, async () => {
    const { ada: carla } = await registerCouple(app);
    const agent = {
      'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
    };
    clock += MINUTE;
    const phone = (await login(carla, agent)).body.token;
    const { body } = await new Caller(app.url, phone).call('GET /api/auth/sessions');
    expect(body.map(({ device, current }) => [device, current])).toEqual([
      ['Chrome on Android', true],
      ['Unknown device', false],
    ]);
    expect(body[0]?.lastUsedAt).toBe(new Date(clock).toISOString());
  });

  it('save the time of their last use once for all calls of a page', { tags: ['accounts.sessions.14'] }, async () => {
    const { ada: carla } = await registerCouple(app);
    clock += 6 * MINUTE;
    const writes = vi.spyOn(app.db, 'write');
    await Promise.all(Array.from({ length: 30 }, () => carla.call('GET /api/DateIdeas')));
    expect(writes).toHaveBeenCalledTimes(1);
    writes.mockRestore();
    expect((await carla.call('GET /api/auth/sessions')).body[0]?.lastUsedAt).toBe(new Date(clock).toISOString());
  });

  it('can be signed out one by one', { tags: ['accounts.sessions.10'] }, async () => {
    const phone = await freshAda();
    const laptop = await freshAda();
    const id = await currentSessionId(app.url, phone.token);
    const end = () => new Caller(app.url, laptop.token).call('DELETE /api/auth/sessions/{id}', { params: { id } });
    expect((await end()).status).toBe(204);
    expect(await isSignedIn(phone.token)).toBe(false);
    expect((await nobody().request('POST /api/auth/renew', {}, asOurPage(phone.cookie))).status).toBe(401);
    expect(await isSignedIn(laptop.token)).toBe(true);
    expect((await end()).status).toBe(404);
  });

  it("are only one's own: those of others, even the partner's, are not found and stay signed in", async () => {
    const mine = (await freshAda()).token;
    const partners = (await login(ben)).body.token;
    const strangers = (await registerAda(app, 'stranger@example.org')).token ?? '';
    for (const other of [partners, strangers]) {
      const id = await currentSessionId(app.url, other);
      expect((await new Caller(app.url, mine).call('DELETE /api/auth/sessions/{id}', { params: { id } })).status).toBe(
        404,
      );
      expect(await isSignedIn(other)).toBe(true);
    }
    expect(
      (await new Caller(app.url, mine).call('DELETE /api/auth/sessions/{id}', { params: { id: 'x' } })).status,
    ).toBe(404);
  });

  it('disappear when their session expires', async () => {
    const { token } = await freshAda();
    clock += 31 * DAY;
    const later = await freshAda();
    const { body } = await new Caller(app.url, later.token).call('GET /api/auth/sessions');
    expect(body).toHaveLength(1);
    expect(await isSignedIn(token)).toBe(false);
  });

  /** Signs Ada in on another device. */
  async function freshAda() {
    const { body, headers } = await login(ada);
    return { ...body, cookie: (headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '' };
  }
});
