import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

describeOnSqlite('two albums on one host', (engine) => {
  let first: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    [first, second] = [await startTestApp(engine), await startTestApp(engine)];
  });
  afterAll(async () => {
    await first.close();
    await second.close();
  });
  const renew = ({ url }: TestApp, cookie: string) =>
    new Caller(url).call('POST /api/auth/renew', {}, { headers: { cookie, origin: url } });

  it('keep a browser signed in on both ports, though it sends both cookies to each', {
    tags: ['accounts.sessions.6', 'accounts.sessions.15'],
  }, async () => {
    const { ada } = await registerCouple(first);
    const { ada: eve } = await registerCouple(second);
    expect(ada.cookie.split('=')[0]).not.toBe(eve.cookie.split('=')[0]);
    const jar = `${ada.cookie}; ${eve.cookie}`;
    expect((await renew(first, jar)).body.user.id).toBe(ada.user.id);
    expect((await renew(second, jar)).body.user.id).toBe(eve.user.id);
  });

  it('go on with the sessions of a version whose cookie had the same name in every album, and give it one of their own', {
    tags: ['accounts.sessions.6', 'accounts.sessions.15'],
  }, async () => {
    const { ada } = await registerCouple(first);
    const former = `our-love-story=${ada.cookie.split('=')[1]}`;
    const { status, headers } = await renew(first, former);
    expect([status, headers.getSetCookie()[0]?.split(';')[0]]).toEqual([200, ada.cookie]);
    expect((await renew(second, former)).status).toBe(401);
    expect((await renew(first, ada.cookie)).headers.getSetCookie()).toEqual([]);
  });
});
