import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea, addPhoto, planDate } from '../support/factories.ts';
import { registerAda } from '../support/register-couple.ts';
import { spawnServer, startServer } from '../support/spawn-server.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

let storage: TestStorage;
let backups: string;
beforeEach(async () => {
  storage = await createTestStorage(sqliteAndDisk);
  backups = await mkdtemp(join(tmpdir(), 'our-love-story-test-'));
});
afterEach(async () => {
  await storage.remove();
  await rm(backups, { recursive: true });
});

const dataDir = () => storage.env.DATA_DIR ?? '';
const command = (name: string, ...args: readonly string[]) =>
  runCaptured('env', [`DATA_DIR=${dataDir()}`, process.execPath, join(root, 'scripts', `${name}.ts`), ...args]);
const inUse = () =>
  `${dataDir()} is in use by another server or a restore. Stop that first, or set DATA_DIR to another folder.\n`;

it('a second server on the folder of SQLite is refused in one sentence, and starts once the first one is killed', {
  tags: ['running.start.4'],
}, async () => {
  const first = await spawnServer(storage);
  const ada = await registerAda(first);
  const refused = startServer(storage);
  await expect(refused.ready).rejects.toThrow(`The server ended with 1 before it was ready:\n${inUse()}`);
  expect(refused.output()).toBe(inUse());
  await addIdea(ada);
  await first.kill('SIGKILL');
  const second = await spawnServer(storage);
  expect((await ada.at(second).call('GET /api/DateIdeas')).body).toHaveLength(1);
  await second.kill();
});

it('a command runs beside the server, and a restore does not', { tags: ['running.start.4'] }, async () => {
  const server = await spawnServer(storage);
  const ada = await registerAda(server);
  await addPhoto(ada, (await planDate(ada)).id, 1);
  for (const [name, ...args] of [
    ['backup', backups],
    ['verify', backups],
    ['orphans'],
    ['scrub'],
    ['admin', 'reset-password', ada.email],
  ] as const) {
    const { code, output } = await command(name, ...args);
    expect(`${name} ${code} ${output}`).toContain(`${name} 0 `);
  }
  expect(await command('restore', backups)).toEqual({ code: 1, output: inUse() });
  expect(await server.kill()).toBe(0);
});
