import { expect, it } from 'vitest';
import { Caller } from '../support/caller.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { registerAda, registerCouple } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { createTestStorage } from '../support/test-storage.ts';

it('the log has sign-ins, refusals and changes of credentials, and nothing personal (ASVS 16)', async () => {
  const storage = await createTestStorage(sqliteAndDisk);
  const server = await spawnServer(storage, { env: { LOG_LEVEL: 'info' } });
  const email = 'ada.lovelace@example.org';
  const ada = await registerAda(server, email);
  const stranger = new Caller(server.url);
  await stranger.call('POST /api/auth/login', { body: { email, password: 'surely not this one' } });
  await stranger.call('GET /api/DateIdeas');
  await ada.call('PUT /api/auth/password', {
    body: { currentPassword: 'nor is it this one', newPassword: 'a brand new evening' },
  });
  const { body: invited } = await ada.call('POST /api/auth/invitations');
  await ada.call('GET /api/DateIdeas');
  await stranger.call('GET /api/auth/invitations/{code}', { params: { code: invited.code } });
  await ada.call('POST /api/auth/logout');
  await server.kill();
  await storage.remove();

  const output = server.output();
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const log = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const events = log.filter(({ msg }) => msg === 'security event');
  const user = ada.user.id;
  expect(events.map(({ call, status, user: who }) => [call, status, who])).toEqual([
    ['POST /api/auth/register', 201, user],
    ['POST /api/auth/login', 401, null],
    ['GET /api/DateIdeas', 401, null],
    ['PUT /api/auth/password', 400, user],
    ['POST /api/auth/invitations', 201, user],
    ['POST /api/auth/logout', 204, user],
  ]);
  for (const event of events) {
    expect(event).toMatchObject({ address: '127.0.0.1', route: expect.any(String) as string, level: 30 });
    // One line for each, so that no refusal is counted twice.
    expect(log.filter(({ reqId }) => reqId === event.reqId)).toEqual([event]);
    expect(new Date(event.time as number).getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
  }
  for (const secret of [
    email,
    'lovelace',
    'Ada',
    ada.password,
    ada.token ?? '',
    ada.cookie,
    invited.code,
    'surely not',
    'brand new',
  ])
    expect(output).not.toContain(secret);
});

it('the log has requesting, withdrawing and confirming the deletion of a space', {
  tags: ['accounts.leaving.5'],
}, async () => {
  const storage = await createTestStorage(sqliteAndDisk);
  const server = await spawnServer(storage, { env: { LOG_LEVEL: 'info' } });
  const { ada, ben } = await registerCouple(server);
  const sure = { body: { currentPassword: ada.password } };
  await ada.call('POST /api/couple/deletion', sure);
  await ada.call('DELETE /api/couple/deletion');
  await ada.call('POST /api/couple/deletion', sure);
  await ben.call('POST /api/couple/deletion', sure);
  await server.kill();
  await storage.remove();
  const lines = server.output().split('\n');
  const log = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
  const events = log.filter(({ msg, call }) => msg === 'security event' && /couple/.test(String(call)));
  expect(events.map(({ call, status, user }) => [call, status, user])).toEqual([
    ['POST /api/couple/deletion', 200, ada.user.id],
    ['DELETE /api/couple/deletion', 204, ada.user.id],
    ['POST /api/couple/deletion', 200, ada.user.id],
    ['POST /api/couple/deletion', 204, ben.user.id],
  ]);
});
