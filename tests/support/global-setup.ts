import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { hasS3 } from './ceph.ts';
import { createFolderInMemory } from './folder-in-memory.ts';
import type { TestServices } from './test-services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server that creates test databases and buckets. */
    testServicesUrl: string;
    /** Whether this machine has an S3 server. */
    hasS3: boolean;
  }
}

/** Runs once per test run: serves test databases and buckets to the test processes. Starts services on first use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await createTemporaryFolder();
  // Where tests keep databases and photographs, unless they are about the disk.
  const dataFolder = (await createFolderInMemory()) ?? folder;
  process.env.TEST_DATA = dataFolder;
  let services: Promise<TestServices> | undefined;
  const open = async () => new (await import('./test-services.ts')).TestServices();
  const answer = async (path: string, url: string): Promise<unknown> => {
    services ??= open();
    if (path === '/new-database') return (await services).newDatabase();
    if (path === '/drop-database') return (await services).dropDatabase(url);
    return (await services).bucket();
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    answer(pathname, searchParams.get('url') ?? '')
      .then((found) => response.end(JSON.stringify(found ?? null)))
      .catch((error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  project.provide('testServicesUrl', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  project.provide('hasS3', hasS3());
  return async () => {
    server.close();
    server.closeAllConnections();
    await (await services)?.stop();
    for (const each of [folder, dataFolder]) await rm(each, { recursive: true, force: true });
  };
}

/** Puts all temporary files of the run into one folder, which is deleted afterwards even if tests were aborted. */
async function createTemporaryFolder(): Promise<string> {
  // All runs on this machine share it.
  process.env.TEST_PORTS = join(tmpdir(), 'our-love-story-ports');
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-'));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return folder;
}
