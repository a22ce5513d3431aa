import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { SERVER_ENTRY } from '../../scripts/lib/server-process.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { describeStorage } from '../../src/base/server/process/describe-storage.ts';
import { describeOnBoth } from '../support/engines.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

describeOnBoth('the running server', (engine) => {
  let storage: TestStorage;
  beforeAll(async () => {
    storage = await createTestStorage(engine);
  });
  afterAll(() => storage.remove());

  it('logs its places and its address in a line each, is alive and ready, and exits with 0 on a signal', {
    tags: ['running.start.5'],
  }, async () => {
    const server = await spawnServer(storage, { env: { LOG_LEVEL: 'info' } });
    expect(server.output()).toContain(`Our Love Story is ready at ${server.url}\n`);
    await expect.poll(() => server.output()).toContain(JSON.stringify(describeStorage(readConfig(storage.env))));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  it('logs nothing of what is searched for', { tags: ['search.11'] }, async () => {
    const server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
    const { status } = await fetch(`${server.url}/api/Search?q=sesquipedalian`);
    expect(status).toBe(401);
    await expect.poll(() => server.output()).toContain('/api/Search');
    expect(await server.kill()).toBe(0);
    expect(server.output()).not.toContain('sesquipedalian');
  });

  it('names its version in /healthz', { tags: ['running.watching.3'] }, async () => {
    const server = await spawnServer(storage);
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object & {
      version: string;
    };
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok', version });
    expect(await server.kill()).toBe(0);
  });

  it('starts again on the data of a killed server', async () => {
    const first = await spawnServer(storage);
    expect(await first.kill('SIGKILL')).toBeNull();
    const second = await spawnServer(storage);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(await second.kill()).toBe(0);
  });
});

it('a start loads none of the libraries that wait for their first use', { tags: ['running.start.7'] }, async () => {
  const folder = dirname(SERVER_ENTRY);
  const loaded = new Map<string, string>();
  const load = async (name: string): Promise<void> => {
    if (loaded.has(name)) return;
    const text = await readFile(join(folder, name), 'utf8');
    loaded.set(name, text);
    // What is required on first use is inside a function.
    for (const [, next = ''] of text.matchAll(/^(?:(?:const|let|var) .*)?require\("\.\/(.*)"\)/gm)) await load(next);
  };
  await load('run.cjs');
  const start = [...loaded.values()].join('');
  expect(start).toContain('// node_modules/fastify/');
  expect(start).toContain('require("better-sqlite3")');
  for (const library of ['@aws-sdk/client-s3', '@tus/server', 'react', 'web-push', 'yauzl'])
    expect(start).not.toContain(`// node_modules/${library}/`);
  expect(start).not.toContain('require("sharp")');
});

describe('a start with invalid settings', { tags: ['running.start.1'] }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (variables: Readonly<Record<string, string>>) => {
    const env = Object.entries({ PORT: '0', DATA_DIR: join(folder, 'data'), ...variables });
    return runCaptured('env', [
      '-i',
      ...env.map(([name, value]) => `${name}=${value}`),
      process.execPath,
      SERVER_ENTRY,
    ]);
  };

  it.each([
    ['PORT', 'seventy'],
    ['REGISTRATION', 'perhaps'],
    ['TRUST_PROXY', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '3601'],
    ['PUBLIC_URL', 'our house'],
    ['PUBLIC_URL', 'https://love.example/album'],
    ['PUBLIC_URL', 'https://love.example/?album=1'],
    ['PUBLIC_URL', 'https://love.example?'],
    ['PUBLIC_URL', 'https://love.example/#album'],
    ['PUBLIC_URL', 'https://ada:secret@love.example'],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['DATABASE_DIRECT_URL', 'mysql://somewhere'],
    ['DATABASE_DIRECT_URL', 'postgres://without.DATABASE_URL'],
    ['STORAGE_URL', '/var/photos'],
  ])('exits with one line that names %s=%s', async (name, value) => {
    const { code, output } = await start({ [name]: value });
    expect(output).toMatch(new RegExp(`^${name} .*\n$`));
    expect(code).toBe(1);
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });

  it('exits with one line if the backups would be lost together with the data', async () => {
    const { code, output } = await start({ BACKUP_DIR: join(folder, 'data', 'backups') });
    expect(output).toMatch(/^BACKUP_DIR .*\n$/);
    expect(code).toBe(1);
  });

  it('names the source of an unexpected error', { tags: ['running.start.2', 'running.start.7'] }, async () => {
    const data = join(folder, 'foreign');
    await mkdir(data);
    // The database of another program.
    const foreign = new BetterSqlite3(join(data, 'our-love-story.db'));
    foreign.exec('create table kysely_migration (id text)');
    foreign.close();
    const { code, output } = await start({ DATA_DIR: data });
    expect(output).toContain('no such column');
    expect(output).toMatch(/at .*\(.*src\/base\/server\/db\/compatibility\.ts:\d+:\d+\)/);
    expect(code).toBe(1);
  });

  it('exits with one line if the database is unreachable', async () => {
    const { code, output } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect(output.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });
});
