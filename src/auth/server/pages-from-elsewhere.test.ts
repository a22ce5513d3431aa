import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { CallName } from '../../base/call.ts';

describeOnBoth('a page from elsewhere', (engine) => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const evil = { origin: 'https://evil.example' };

  it('may not change anything, even with a token', async () => {
    const { token } = ada;
    const body = { title: 'A walk', category: 'Romantic' };
    const change = (headers: Record<string, string>) =>
      new Caller(app.url, token).request('POST /api/DateIdeas', { body }, { headers });
    expect((await change(evil)).status).toBe(403);
    expect((await change({ origin: app.url })).status).toBe(201);
    expect((await change({})).status).toBe(201);
  });

  it.each([
    'POST /api/auth/register',
    'POST /api/auth/login',
    'POST /api/auth/join',
    'POST /api/auth/recovery/x',
  ] satisfies CallName[])('may not make the call %s', async (name) => {
    expect((await nobody().request(name, { body: {} }, { headers: evil })).status).toBe(403);
  });

  it('gets 401 before 403', async () => {
    expect((await nobody().request('POST /api/DateIdeas', { body: {} }, { headers: evil })).status).toBe(401);
  });
});
