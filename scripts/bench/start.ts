import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../tests/support/daemons.ts';
import { ensureBuilt } from '../lib/builds.ts';
import { SERVER_ENTRY, SERVER_ENV, SERVER_FLAGS } from '../lib/server-process.ts';
import { median } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 9;
/** The server is idle this long after its first answer. */
const IDLE_AFTER_MS = 5_000;

interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A path that asks the database. */
  readonly path: string;
}

interface Start {
  /** From the start of the process to the end of its first answer. */
  readonly ms: number;
  /** Processor time until then, which other processes disturb less. */
  readonly processorMs: number;
  /** Resident memory when idle. */
  readonly bytes: number;
}

const OURS: Program = {
  args: [...SERVER_FLAGS, SERVER_ENTRY],
  env: { ...SERVER_ENV, LOG_LEVEL: 'warn' },
  path: '/readyz',
};
const BARE: Program = { args: [join(import.meta.dirname, 'bare-sqlite.mjs')], env: {}, path: '/' };

/** Measures the start and the idle memory of the built server against a plain Node server with SQLite. Needs Linux. */
export async function benchStart(): Promise<Figure[]> {
  if (!(await ensureBuilt())) throw new Error('Could not build the app.');
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-start-'));
  const pairs: { ours: Start; bare: Start }[] = [];
  try {
    // The first start creates the tables, and fills Node's cache of compiled code.
    await measure(OURS, folder);
    // Alternating, so that changes in machine speed affect both.
    for (let round = 0; round < ROUNDS; round += 1) {
      pairs.push({ bare: await measure(BARE, folder), ours: await measure(OURS, folder) });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const middle = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value));
  const ratio = (key: keyof Start) => middle(({ ours, bare }) => ours[key] / bare[key]).toFixed(2);
  const both = (key: keyof Start, unit = 1) =>
    [middle(({ ours }) => ours[key]), middle(({ bare }) => bare[key])].map((n) => Math.round(n / unit)).join(' : ');
  return [
    {
      what: 'start to first answer : a plain Node server with SQLite',
      figure: ratio('ms'),
      goal: `at most 3 (${both('ms')} ms)`,
    },
    {
      what: 'the same, in processor time',
      figure: ratio('processorMs'),
      goal: `at most 3 (${both('processorMs')} ms)`,
    },
    {
      what: 'idle memory : a plain Node server with SQLite',
      figure: ratio('bytes'),
      goal: `at most 1.6 (${both('bytes', 1e6)} MB)`,
    },
  ];
}

async function measure({ args, env, path }: Program, folder: string): Promise<Start> {
  const [port = 0] = await freePorts(1);
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    while ((await statusOf(port, path)) !== 200) {
      if (child.exitCode !== null) throw new Error('The server ended before its first answer.');
      await sleep(2);
    }
    const ms = performance.now() - startedAt;
    const processorMs = await processorTime(child);
    await sleep(IDLE_AFTER_MS);
    return { ms, processorMs, bytes: await residentBytes(child) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The status of an answer; 0 while nobody listens. */
function statusOf(port: number, path: string): Promise<number> {
  return new Promise((done) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0));
    });
    request.on('error', () => done(0));
  });
}

/** Processor time of all threads in milliseconds, in steps of 10. */
async function processorTime({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
