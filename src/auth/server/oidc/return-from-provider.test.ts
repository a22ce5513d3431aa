import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp } from '../../../../tests/support/app.ts';
import { PASSWORD, type Partner, registerCouple } from '../../../../tests/support/client.ts';
import { createTestStorage, describeOnSqlite } from '../../../../tests/support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';

describeOnSqlite('the way back from an OpenID provider', (engine) => {
  let openId: OpenIdApp;
  let ada: Partner;
  beforeAll(async () => {
    openId = await startOpenIdApp(engine);
    ({ ada } = await registerCouple(openId.app));
  });
  afterAll(() => openId.close());

  it.for(['SQLITE_BUSY', 'SQLITE_READONLY', 'SQLITE_FULL', '57P01', 'unexpected'])(
    'ends on a page of ours if the database fails with %s',
    {
      tags: ['openid.signin.3', 'openid.signin.4'],
    },
    async (code) => {
      const browser = openId.browser();
      const body = { intent: 'connect', currentPassword: PASSWORD } as const;
      const begun = await browser.start(body, ada);
      const back = await browser.visit(begun.body.url, 'ada');
      const fault = Object.assign(new Error('The database failed'), { code });
      vi.spyOn(openId.app.db, 'write').mockRejectedValue(fault);
      const landing = await browser.land(back).finally(() => vi.restoreAllMocks());
      expect(landing).toEqual({ location: '/auth/oidc?problem=unavailable', setCookies: [] });
      expect((await ada.call('GET /api/auth/session')).body.user.signIn.oidc).toBe(false);
      // Nothing was used up.
      expect((await browser.land(back)).location).toContain('connected=true');
      expect((await ada.call('DELETE /api/auth/oidc', { body: { currentPassword: PASSWORD } })).status).toBe(204);
    },
  );

  it('registers nobody if the operator has closed registration meanwhile', {
    tags: ['openid.registering.1'],
  }, async () => {
    const storage = await createTestStorage(engine);
    const before = await startOpenIdApp(engine, { storage });
    const browser = before.browser();
    expect((await browser.roundTrip({ intent: 'register' }, 'cleo')).location).toBe('/auth/oidc');
    const env = { ...before.provider.env, PORT: new URL(before.app.url).port };
    const body = { displayName: 'Cleo', email: 'cleo@example.org' };
    const finishWith = async (registration: string) => {
      const app = await startTestApp(engine, { storage, env: { ...env, REGISTRATION: registration } });
      const answer = await browser.call('POST /api/auth/oidc/finish', { body });
      const users = await app.db.read.selectFrom('users').select('id').execute();
      await app.close();
      return [answer.status, users.length];
    };
    try {
      await before.app.close();
      expect(await finishWith('closed')).toEqual([403, 0]);
      // The visit is not used up.
      expect(await finishWith('open')).toEqual([201, 1]);
    } finally {
      await before.provider.stop();
      await storage.remove();
    }
  });
});
