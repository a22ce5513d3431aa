import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { hasS3 } from './ceph.ts';
import type { TestServices } from './test-services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the engine desk is asked. */
    testServicesUrl: string;
    /** Whether an S3 server is to be had on this machine. */
    hasS3: boolean;
  }
}

/** Once for a whole run: opens the desk to the test processes. Nothing starts, or is even loaded, until one asks. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await gatherTemporaries();
  let desk: Promise<TestServices> | undefined;
  const open = async () => new (await import('./test-services.ts')).TestServices();
  const answer = async (path: string, url: string): Promise<unknown> => {
    desk ??= open();
    if (path === '/new-database') return (await desk).newDatabase();
    if (path === '/drop-database') return (await desk).dropDatabase(url);
    return (await desk).bucket();
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://desk');
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
    await (await desk)?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Lets every temporary file of the run lie in one folder, which goes with it, also where a test was broken off. */
async function gatherTemporaries(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-'));
  // PostgreSQL, where it may not be root, passes through it.
  await chmod(folder, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return folder;
}
