import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { sql } from 'kysely';
import { HOUR } from '../../src/base/durations.ts';
import { sweepReplies } from '../../src/base/server/calls/idempotency.ts';
import { openDb } from '../../src/base/server/db/open.ts';
import type { Deps } from '../../src/base/server/deps.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { emptyTrash, sweepPendingFiles } from '../../src/memories/server/sweep/sweep.ts';
import { queueDateReminders } from '../../src/reminders/server/queue-date-reminders.ts';
import { sweepUploads } from '../../src/uploads/server/resumable/sweep-uploads.ts';
import { depsOf } from '../../tests/support/server-deps.ts';
import { type Figure, onBothEngines } from './figures-on-both-engines.ts';
import { fillIdleCouples } from './fill-idle-couples.ts';
import { medianOf, timeOf } from './median-time.ts';

const COUPLES = 20_000;
const ROUNDS = 7;
/**
 * For the filling, which takes longer than a request's statements may. The measured rounds run with these timeouts too.
 */
const LONG = 'statement_timeout=600000&query_timeout=600000';

/** Measures the reminders of dates, and four of the steps of a sweep, with `COUPLES` couples, on both engines. */
export function benchBackground(): Promise<Figure[]> {
  return onBothEngines((engine, { DATABASE_URL: url }) => benchOn(engine, url === undefined ? '' : `${url}?${LONG}`));
}

async function benchOn(engine: string, databaseUrl: string): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl };
  const db = await openDb(readConfig(env));
  try {
    return await measureAll(engine, await depsOf({ db, fastify: fastify(), storage: { env } }));
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(engine: string, deps: Deps): Promise<Figure[]> {
  await fillIdleCouples(deps.db, COUPLES);
  const takeFourSteps = async () => {
    await emptyTrash(deps, () => true);
    await sweepPendingFiles(deps, () => true);
    await sweepUploads(deps, () => true);
    await sweepReplies(deps);
  };
  const steps = await medianOf(ROUNDS, 1, () => timeOf(takeFourSteps));
  return [
    ...(await measureReminders(engine, deps)),
    {
      what: `${engine}: four steps of a sweep (trash, pending files, uploads, idempotency keys), nothing due`,
      figure: `${steps.toFixed(1)} ms`,
      goal: 'at most 100 ms',
    },
  ];
}

/** A minute's round of the reminders of all couples' dates: each has one in the last week and one in the next. */
async function measureReminders(engine: string, deps: Deps): Promise<Figure[]> {
  const { db, now } = deps;
  await db.write(async (tx) => {
    const hours = sql`(cast(substr("id", 2) as integer) % 168) * cast(${HOUR} as bigint)`;
    await sql`update "dates" set "plannedDateTime" =
      cast(${now()} as bigint) + case when "id" like 'a%' then 1 else -1 end * ${hours}
      where "id" like 'a%' or "id" like 'b%'`.execute(tx);
    await sql`analyze`.execute(tx);
  });
  const round = () => timeOf(() => queueDateReminders(deps, () => true));
  const first = await round();
  const coupleCount = `${COUPLES.toLocaleString('en-US')} couples`;
  return [
    {
      what: `${engine}: reminders of the dates of ${coupleCount}, all that are due queued at once, one run`,
      figure: `${first.toFixed(0)} ms`,
      goal: 'at most 5,000 ms',
    },
    {
      what: `${engine}: reminders of the dates of ${coupleCount}, a minute with nothing new`,
      figure: `${(await medianOf(ROUNDS, 1, round)).toFixed(0)} ms`,
      goal: 'at most 1,000 ms',
    },
  ];
}
