import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { PASSWORD, registerCouple } from '../../../../tests/support/register-couple.ts';

describeOnSqlite('the way back from an OpenID provider', (engine) => {
  let openId: OpenIdApp;
  let ada: Partner;
  beforeAll(async () => {
    openId = await startOpenIdApp(engine);
    ({ ada } = await registerCouple(openId.app));
  });
  afterAll(() => openId.close());

  // The faults are made here, so those of both databases come on one: 57P01 is PostgreSQL's, of a server that stops.
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
      // For the next fault, Ada is without a connection again.
      expect((await ada.call('DELETE /api/auth/oidc', { body: { currentPassword: PASSWORD } })).status).toBe(204);
    },
  );
});
