import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../src/base/server/db/faults.ts';
import { isRunning } from './process-signals.ts';

/** The ports from which `freePorts` chooses, below those that the system assigns by itself. */
const PORTS = { first: 12_000, count: 18_000 } as const;

/** A folder with a file for each port that a test process has reserved, which holds the id of the process. */
const RESERVATIONS = process.env.TEST_PORTS ?? join(tmpdir(), 'our-love-story-ports');

/**
 * Finds free ports of 127.0.0.1 and reserves them until this process ends: what listens on one may be restarted, and other
 * tests look for ports at the same time.
 */
export async function freePorts(count: number): Promise<number[]> {
  await mkdir(RESERVATIONS, { recursive: true });
  const found: number[] = [];
  while (found.length < count) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if ((await reserve(port)) && (await isFree(port))) found.push(port);
  }
  return found;
}

/** Returns false if the port is reserved already. A reservation whose process has ended is removed for the next time. */
async function reserve(port: number): Promise<boolean> {
  const file = join(RESERVATIONS, String(port));
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (owner !== '' && !isRunning(Number(owner))) await rm(file, { force: true });
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
