import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { sql } from 'kysely';
import { PASSWORD_COST } from '../../src/auth/server/sign-in/passwords.ts';
import { sweepReplies } from '../../src/base/server/calls/idempotency.ts';
import { openDb } from '../../src/base/server/db/open.ts';
import type { Deps } from '../../src/base/server/deps.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { openLocalLive } from '../../src/base/server/live/local-live.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { HOUR } from '../../src/base/time.ts';
import { emptyTrash, sweepPendingFiles } from '../../src/memories/server/sweep/sweep.ts';
import { queueDateReminders } from '../../src/reminders/server/date-reminders.ts';
import { sendDueReminders } from '../../src/reminders/server/send-reminders.ts';
import { sweepUploads } from '../../src/uploads/server/resumable/sweep-uploads.ts';
import { median, onBothEngines } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { fillBackground } from './fill-background.ts';

const FEW = 1_000;
const ALL = 20_000;
const ROUNDS = 7;
const FLOOR_READS = 30;
/** Filling takes longer than a request's statements may. */
const LONG = 'statement_timeout=600000&query_timeout=600000';

/** Measures the background work of a node with 20,000 couples, on both engines. The floor is one read by primary key. */
export function benchBackground(): Promise<Figure[]> {
  return onBothEngines((engine, { DATABASE_URL: url }) => benchOn(engine, url === undefined ? '' : `${url}?${LONG}`));
}

async function benchOn(engine: string, databaseUrl: string): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: databaseUrl });
  const db = await openDb(config);
  try {
    const deps: Deps = {
      config,
      db,
      databaseId: '',
      files: await openFiles(config),
      live: openLocalLive(),
      now: Date.now,
      crashPoint: () => undefined,
      print: () => undefined,
      randomInt: () => 0,
      registrations: 0,
      passwordCost: PASSWORD_COST,
      log: fastify().log,
      announce: async () => undefined,
    };
    return await measureAll(engine, deps);
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(engine: string, deps: Deps): Promise<Figure[]> {
  await fillBackground(deps.db, 1, FEW);
  const ofFew = await measureNothingDue(deps);
  await fillBackground(deps.db, FEW + 1, ALL);
  const ofAll = await measureNothingDue(deps);
  const figures = Object.entries(ofFew).map(([what, few]) => {
    const all = ofAll[what] ?? few;
    return {
      what: `${engine}: ${what}, nothing due, 20,000 : 1,000 couples`,
      figure: (all.ratio / few.ratio).toFixed(2),
      goal: `1.0 (${all.ms.toFixed(1)} ms)`,
    };
  });
  return [...figures, ...(await measureReminders(engine, deps))];
}

interface Idle {
  readonly ms: number;
  /** To the floor. */
  readonly ratio: number;
}

async function measureNothingDue(deps: Deps): Promise<Record<string, Idle>> {
  const work = {
    'a round of reminders': () => sendDueReminders(deps),
    'a sweep of trash, files, uploads and keys': async () => {
      await emptyTrash(deps, () => true);
      await sweepPendingFiles(deps, () => true);
      await sweepUploads(deps, () => true);
      await sweepReplies(deps);
    },
  };
  const found: Record<string, Idle> = {};
  for (const [what, run] of Object.entries(work)) {
    // The first one warms up.
    await run();
    const rounds: Idle[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ms = await timeOf(run);
      // Alternating, so that changes in machine speed affect both.
      rounds.push({ ms, ratio: ms / (await measureFloor(deps)) });
    }
    found[what] = { ms: median(rounds.map(({ ms }) => ms)), ratio: median(rounds.map(({ ratio }) => ratio)) };
  }
  return found;
}

/** A minute's look at the reminders of all couples, each with a date in the last week and one in the next. */
async function measureReminders(engine: string, deps: Deps): Promise<Figure[]> {
  const { db, now } = deps;
  await db.write(async (tx) => {
    const hour = sql`(cast(substr("id", 2) as integer) % 168) * cast(${HOUR} as bigint)`;
    await sql`update "dates" set "plannedDateTime" = cast(${now()} as bigint) + ${hour} where "id" like 'a%'`.execute(
      tx,
    );
    await sql`update "dates" set "plannedDateTime" = cast(${now()} as bigint) - ${hour} where "id" like 'b%'`.execute(
      tx,
    );
    await sql`analyze`.execute(tx);
  });
  const round = () => queueDateReminders(deps, () => true);
  const first = await timeOf(round);
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) times.push(await timeOf(round));
  return [
    {
      what: `${engine}: reminders of 20,000 couples, all that are due queued at once`,
      figure: `${first.toFixed(0)} ms`,
      goal: 'at most 5,000 ms',
    },
    {
      what: `${engine}: reminders of 20,000 couples, a minute with nothing new`,
      figure: `${median(times).toFixed(0)} ms`,
      goal: 'at most 1,000 ms',
    },
  ];
}

/** Milliseconds of one read by primary key. */
async function measureFloor({ db }: Deps): Promise<number> {
  const times: number[] = [];
  for (let n = 1; n <= FLOOR_READS; n += 1) {
    times.push(await timeOf(() => sql`select "id" from "couples" where "id" = ${`c${n}`}`.execute(db.read)));
  }
  return median(times);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
