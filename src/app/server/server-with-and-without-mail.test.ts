import { afterEach, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnSqlite } from '../../../tests/support/engines.ts';
import { type MailServer, startMailServer } from '../../../tests/support/mail-server.ts';
import { mailVariables } from '../../../tests/support/mailed-app.ts';
import { registerAda } from '../../../tests/support/register-couple.ts';
import { type SpawnedServer, spawnServer } from '../../../tests/support/spawn-server.ts';
import { startTestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage, type TestStorage } from '../../../tests/support/test-storage.ts';
import { MINUTE } from '../../base/durations.ts';

describeOnSqlite('a server that sends mail', (engine) => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const it of opened.splice(0).toReversed()) await it.close();
  });
  const open = async () => {
    const storage = await createTestStorage(engine);
    opened.push({ close: () => storage.remove() });
    const mail = await startMailServer();
    opened.push(mail);
    return { storage, mail };
  };
  const spawn = async (storage: TestStorage, mail: Pick<MailServer, 'port'>, more = {}): Promise<SpawnedServer> => {
    const server = await spawnServer(storage, { env: { ...(await mailVariables(mail)), ...more } });
    opened.push({ close: async () => void (await server.kill('SIGKILL')) });
    return server;
  };

  it('sends by itself, and after a crash what was not sent', { tags: ['mail.sending.4'] }, async () => {
    const { storage, mail } = await open();
    const arrived = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    mail.before = async () => {
      arrived.resolve();
      await free.promise;
      throw new Error('the server has died');
    };
    const server = await spawn(storage, mail);
    expect((await new Caller(server.url).call('GET /api/auth/status')).body.mail).toBe(true);
    await registerAda(server, 'ada@example.org');
    await arrived.promise;
    await server.kill('SIGKILL');
    mail.before = null;
    free.resolve();
    // Later, when the hold of the dead process has ended.
    const env = await mailVariables(mail);
    const now = () => Date.now() + 3 * MINUTE;
    opened.push(await startTestApp(engine, { storage, env, now }));
    await expect.poll(() => mail.received.map(({ to }) => to), { timeout: 20_000 }).toEqual(['ada@example.org']);
  });

  it('starts although the mail server refuses, and says so in one line without the password', {
    tags: ['mail.sending.3', 'mail.sending.8'],
  }, async () => {
    const { storage } = await open();
    const mail = await startMailServer({ user: { name: 'album', password: 'the right one' } });
    opened.push(mail);
    const env = { SMTP_URL: `smtp://album:the%20wrong%20one@127.0.0.1:${mail.port}` };
    const server = await spawn(storage, mail, env);
    await expect.poll(() => server.output()).toContain('the mail server could not be used');
    await expect.poll(() => server.output()).toContain('it refused the user or the password');
    expect(server.output()).not.toMatch(/wrong one|album@/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('sends none to users without a public address, and says so', {
    tags: ['mail.sending.1', 'mail.sending.9'],
  }, async () => {
    const { storage, mail } = await open();
    const server = await spawn(storage, mail, { PUBLIC_URL: '' });
    await expect.poll(() => server.output()).toContain('PUBLIC_URL is not set, so users get no mail');
    const caller = new Caller(server.url);
    expect((await caller.call('GET /api/auth/status')).body.mail).toBe(false);
    await registerAda(server, 'ada@example.org');
    const body = { email: 'ada@example.org' };
    expect((await caller.call('POST /api/auth/recovery-mail', { body })).status).toBe(404);
  });

  it('is one of several: without mail its calls are 404', { tags: ['mail.sending.9'] }, async () => {
    const app = await startTestApp(engine);
    opened.push(app);
    const ada = await registerAda(app);
    const { code } = (await ada.call('POST /api/auth/invitations')).body;
    const answers = [
      await ada.call('POST /api/auth/recovery-mail', { body: { email: ada.email } }),
      await ada.call('POST /api/auth/email-mail'),
      await ada.call('POST /api/auth/email/{code}', { params: { code } }),
      await ada.call('POST /api/auth/invitations/{code}/mail', { params: { code }, body: { email: ada.email } }),
      await ada.call('DELETE /api/auth/recovery/{stopCode}', { params: { stopCode: code } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    // Another e-mail needs no password.
    const moved = await ada.call('PUT /api/auth/profile', { body: { email: 'new@example.org' } });
    expect(moved.body).toMatchObject({ email: 'new@example.org', emailVerified: false });
  });
});
