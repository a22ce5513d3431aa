import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { SERVER_ENTRY } from '../../scripts/lib/server-launch-settings.ts';
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
