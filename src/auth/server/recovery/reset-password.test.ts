import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { runCommand } from '../../../../tests/support/run-command.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

async function run(...command: Parameters<typeof runCommand>): Promise<string> {
  const { code, out, err } = await runCommand(...command);
  return `${code}: ${out}${err}`;
}

describeOnSqlite('npm run admin -- reset-password', (engine) => {
  let app: TestApp;
  let ada: Partner;
  const login = async (password: string) =>
    (await new Caller(app.url).call('POST /api/auth/login', { body: { email: ada.email, password } })).status;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());

  it('prints a link that sets a new password once, within an hour, and ends all sessions', {
    tags: ['accounts.leaving.6'],
  }, async () => {
    const env = { ...app.storage.env, PUBLIC_URL: 'https://our.example' };
    const said = await run('admin', env, ['reset-password', ` ${ada.email.toUpperCase()} `]);
    const [, code = ''] = /^0: .*https:\/\/our\.example\/auth\/recover\/(\S+)\n$/.exec(said) ?? [];
    const set = () =>
      new Caller(app.url).call('POST /api/auth/recovery/{code}', {
        params: { code },
        body: { newPassword: 'by the link alone' },
      });
    expect((await set()).status).toBe(204);
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    expect((await set()).status).toBe(404);
    expect([await login(ada.password), await login('by the link alone')]).toEqual([401, 200]);
  });

  it('sets the password from standard input, and ends all sessions', { tags: ['accounts.leaving.6'] }, async () => {
    const body = { email: ada.email, password: 'by the link alone' };
    const { token } = (await new Caller(app.url).call('POST /api/auth/login', { body })).body;
    const reset = (password: string) =>
      run('admin', app.storage.env, ['reset-password', ada.email, '--password'], `${password}\n`);
    expect(await reset('short')).toMatch(/^1: .*at least 10/);
    expect(await reset('typed on the server')).toMatch(/^0: /);
    expect((await new Caller(app.url, token).call('GET /api/auth/session')).status).toBe(401);
    expect(await login('typed on the server')).toBe(200);
  });

  it('reports an unknown email and missing arguments', async () => {
    expect(await run('admin', app.storage.env, ['reset-password', 'nobody@example.org'])).toMatch(/^1: No account/);
    expect(await run('admin', app.storage.env, [])).toMatch(/^1: Usage/);
  });
});
