import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { PASSWORD_COST } from '../../src/auth/server/sign-in/passwords.ts';
import { readConfig } from '../../src/base/server/config.ts';
import type { Db } from '../../src/base/server/db/db.ts';
import { openDb } from '../../src/base/server/db/open.ts';
import type { Deps } from '../../src/base/server/deps.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { openLocalLive } from '../../src/base/server/live.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/time.ts';
import { emptyTrash, sweepPendingFiles } from '../../src/memories/server/sweep/sweep.ts';
import { sendDueReminders } from '../../src/reminders/server/send-reminders.ts';
import { sweepUploads } from '../../src/uploads/server/resumable/sweep-uploads.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { median } from './bench-server.ts';
import type { Figure } from './figure.ts';

const FEW = 1_000;
const ALL = 100_000;
/** Deleting a memory takes several statements and files, so not all couples have one to delete. */
const MANY = 5_000;
const ROUNDS = 7;
const FLOOR_READS = 300;
const FEW_READS = 30;
/** Filling takes longer than a request's statements may. */
const LONG = 'statement_timeout=600000&query_timeout=600000';
/** No push is sent while another node seems to hold this lease. */
const HELD_UNTIL = 20 * HOUR;

/**
 * Measures the background work of a node with 100,000 couples, on both engines. The floor is one read by primary key. The
 * couples are inserted by SQL: two partners with a device each, an idea, three dates, three memories.
 */
export async function benchBackground(): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    return [...(await benchOn('PostgreSQL', `${postgres.url}?${LONG}`)), ...(await benchOn('SQLite', ''))];
  } finally {
    await postgres.stop();
  }
}

async function benchOn(engine: string, databaseUrl: string): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: databaseUrl });
  const db = await openDb(config);
  const service = await startPushSink();
  const count = countStatements();
  try {
    const deps: Deps = {
      config,
      db,
      databaseId: '',
      files: await openFiles(config),
      live: openLocalLive(),
      now: Date.now,
      step: () => undefined,
      print: () => undefined,
      randomInt: () => 0,
      registrations: 0,
      passwordCost: PASSWORD_COST,
      localPush: true,
      log: fastify().log,
      announce: async () => undefined,
    };
    return await new Bench(engine, deps, count, service.url).run();
  } finally {
    count.stop();
    await service.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Accepts every push. */
async function startPushSink() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

interface StatementCounter {
  /** How many statements PostgreSQL has been sent; 0 on SQLite. */
  total(): number;
  stop(): void;
}

function countStatements(): StatementCounter {
  const client = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = client;
  let statements = 0;
  client.query = function (this: unknown, ...args: unknown[]) {
    statements += 1;
    return query.apply(this, args);
  };
  return {
    total: () => statements,
    stop: () => {
      client.query = query;
    },
  };
}

interface Measured {
  readonly ms: number;
  readonly statements: number;
}

/** A round with nothing due, with its ratio to the floor. */
interface Idle extends Measured {
  readonly ratio: number;
}

class Bench {
  readonly #engine: string;
  readonly #deps: Deps;
  readonly #count: StatementCounter;
  readonly #pushUrl: string;
  readonly #figures: Figure[] = [];

  constructor(engine: string, deps: Deps, count: StatementCounter, pushUrl: string) {
    this.#engine = engine;
    this.#deps = deps;
    this.#count = count;
    this.#pushUrl = pushUrl;
  }

  async run(): Promise<readonly Figure[]> {
    const { db } = this.#deps;
    await fill(db, 1, FEW, this.#pushUrl);
    const ofFew = await this.#nothingDue();
    await fill(db, FEW + 1, ALL, this.#pushUrl);
    const ofAll = await this.#nothingDue();
    for (const [what, few] of Object.entries(ofFew)) {
      const all = ofAll[what] as Idle;
      this.#note(`${what}, nothing due : of 1,000 couples`, all.ratio / few.ratio, '1.0', all);
      this.#note(`${what}, nothing due : one read`, all.ratio, 'at most 30', all);
    }
    await this.#reminders(FEW);
    await this.#pushes();
    await this.#sweeps(FEW);
    await this.#reminders(ALL);
    await this.#sweeps(MANY);
    return this.#figures;
  }

  #note(what: string, ratio: number, goal: string, { ms, statements }: Measured): void {
    const counted = statements > 0 ? `, ${statements} statements` : '';
    this.#figures.push({
      what: `${this.#engine}: ${what}`,
      figure: ratio.toFixed(2),
      goal: `${goal} (${ms.toFixed(1)} ms${counted})`,
    });
  }

  async #measure(work: () => Promise<unknown>): Promise<Measured> {
    const [before, startedAt] = [this.#count.total(), performance.now()];
    await work();
    return { ms: performance.now() - startedAt, statements: this.#count.total() - before };
  }

  /** Milliseconds of one read by primary key. */
  async #floor(reads = FLOOR_READS): Promise<number> {
    const { read } = this.#deps.db;
    const times: number[] = [];
    for (let n = 1; n <= reads; n += 1) {
      const { ms } = await this.#measure(() => sql`select "id" from "couples" where "id" = ${`c${n}`}`.execute(read));
      times.push(ms);
    }
    return median(times);
  }

  async #nothingDue(): Promise<Record<string, Idle>> {
    const work = {
      'a round of reminders': () => sendDueReminders(this.#deps),
      'a sweep of trash, files and uploads': () => this.#sweepAll(),
    };
    const found: Record<string, Idle> = {};
    for (const [what, run] of Object.entries(work)) {
      const rounds: Idle[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const measured = await this.#measure(run);
        // Alternating, so that changes in machine speed affect both.
        rounds.push({ ...measured, ratio: measured.ms / (await this.#floor(FEW_READS)) });
      }
      // The first one warms up.
      const [, ...warm] = rounds;
      found[what] = {
        ms: median(warm.map(({ ms }) => ms)),
        ratio: median(warm.map(({ ratio }) => ratio)),
        statements: warm[0]?.statements ?? 0,
      };
    }
    return found;
  }

  async #sweepAll(): Promise<void> {
    await emptyTrash(this.#deps, () => true);
    await sweepPendingFiles(this.#deps, () => true);
    await sweepUploads(this.#deps, () => true);
  }

  /** Queues the reminders of dates that start soon. */
  async #reminders(due: number): Promise<void> {
    const { db, now } = this.#deps;
    await holdPushes(db, now() + HELD_UNTIL);
    await db.write(async (tx) => {
      await sql`update "dates" set "plannedDateTime" = cast(${now() + 30 * MINUTE} as bigint)
        where "id" like 'a%' and "coupleId" in (${firstCouples(due)})`.execute(tx);
      await sql`update "reminderChecks" set "checkAt" = 0 where "coupleId" in (${firstCouples(due)})`.execute(tx);
    });
    const floor = await this.#floor();
    const measured = await this.#measure(() => sendDueReminders(this.#deps));
    const what = `reminders of ${due.toLocaleString('en')} couples queued, each : one read`;
    this.#note(what, measured.ms / due / floor, 'at most 5', measured);
  }

  async #pushes(): Promise<void> {
    const { db, now } = this.#deps;
    const { pending } = await db.read
      .selectFrom('reminders')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('doneAt', 'is', null)
      .executeTakeFirstOrThrow();
    await holdPushes(db, 0);
    const floor = await this.#floor();
    const measured = await this.#measure(() => sendDueReminders(this.#deps));
    await holdPushes(db, now() + HELD_UNTIL);
    const what = `${Number(pending).toLocaleString('en')} reminders sent, each : one read`;
    this.#note(what, measured.ms / Number(pending) / floor, 'no goal', measured);
  }

  /** Deletes one memory from the trash of each couple. */
  async #sweeps(due: number): Promise<void> {
    const { db, now } = this.#deps;
    const deletedAt = now() - 31 * DAY;
    await db.write((tx) =>
      sql`update "memories" set "deletedAt" = cast(${deletedAt} as bigint) where "id" = (
        select min("other"."id") from "memories" as "other" where "other"."coupleId" = "memories"."coupleId"
      ) and "coupleId" in (${firstCouples(due)})`.execute(tx),
    );
    const floor = await this.#floor();
    const measured = await this.#measure(() => this.#sweepAll());
    const what = `trash of ${due.toLocaleString('en')} couples emptied, each : one read`;
    this.#note(what, measured.ms / due / floor, 'no goal', measured);
  }
}

const firstCouples = (count: number) =>
  sql`with recursive "n"("i") as (select 1 union all select "i" + 1 from "n" where "i" < cast(${count} as integer))
    select 'c' || "i" from "n"`;

async function holdPushes(db: Db, heldUntil: number): Promise<void> {
  await db.write((tx) =>
    tx
      .insertInto('scheduledJobs')
      .values({ name: 'pushes', heldUntil, heldBy: null, doneAt: null, state: null })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ heldUntil }))
      .execute(),
  );
}

/** Inserts the couples `from` to `to`, with nothing due. */
async function fill(db: Db, from: number, to: number, pushUrl: string): Promise<void> {
  const now = Date.now();
  const numbers = sql`with recursive "n"("i") as (
    select cast(${from} as integer) union all select "i" + 1 from "n" where "i" < cast(${to} as integer))`;
  const at = (ms: number) => sql`cast(${now + ms} as bigint)`;
  const both = sql`(select 1 as "k" union all select 2) as "both"`;
  const three = sql`(select 'a' as "k", 1 as "d" union all select 'b', 2 union all select 'c', 3) as "three"`;
  // The keys of a real browser, so that the payload can be encrypted for it.
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const statements = [
    sql`insert into "couples" ("id", "timeZone", "createdAt") ${numbers} select 'c' || "i", 'UTC', ${at(0)} from "n"`,
    sql`insert into "users" ("coupleId", "id", "email", "emailKey", "displayName", "passwordHash", "createdAt") ${numbers}
      select 'c' || "i", 'u' || "i" || '-' || "k", 'u' || "i" || '-' || "k", 'u' || "i" || '-' || "k", 'Ada', '', ${at(0)}
      from "n" cross join ${both}`,
    sql`insert into "sessions" ("coupleId", "userId", "id", "tokenHash", "device", "createdAt", "lastUsedAt") ${numbers}
      select 'c' || "i", 'u' || "i" || '-' || "k", 's' || "i" || '-' || "k", 's' || "i" || '-' || "k", '', ${at(0)}, ${at(0)}
      from "n" cross join ${both}`,
    sql`insert into "pushDevices"
      ("coupleId", "userId", "sessionId", "device", "endpoint", "p256dh", "auth", "createdAt") ${numbers}
      select 'c' || "i", 'u' || "i" || '-' || "k", 's' || "i" || '-' || "k", 'd' || "i" || '-' || "k", cast(${pushUrl} as text),
        cast(${p256dh} as text), 'BTBZMqHH6r4Tts7J_aSIgg', ${at(0)} from "n" cross join ${both}`,
    sql`insert into "reminderChecks" ("coupleId", "checkAt", "version") ${numbers}
      select 'c' || "i", ${at(4 * HOUR)}, 0 from "n"`,
    sql`insert into "ideas" ("coupleId", "id", "title", "category", "isActive", "createdAt", "updatedAt", "version") ${numbers}
      select 'c' || "i", 'i', 'A walk by the river', 'Outdoor', 1, ${at(0)}, ${at(0)}, 1 from "n"`,
    sql`insert into "dates"
      ("coupleId", "id", "ideaId", "status", "plannedDateTime", "createdAt", "updatedAt", "version") ${numbers}
      select 'c' || "i", "k" || "i", 'i', 'Planned', ${at(0)} + "d" * cast(${10 * DAY} as bigint), ${at(0)}, ${at(0)}, 1
      from "n" cross join ${three}`,
    sql`insert into "memories" ("coupleId", "id", "dateId", "fileName", "originalFileName", "fileExtension",
        "fileSizeBytes", "sha256", "width", "height", "thumbHash", "uploadedAt") ${numbers}
      select 'c' || "i", "k" || "i", 'a' || "i", "k" || "i" || '.jpg', 'a.jpg', '.jpg', 1, "k" || "i", 1, 1, '', ${at(0)}
      from "n" cross join ${three}`,
  ];
  await db.write(async (tx) => {
    for (const statement of statements) await statement.execute(tx);
  });
  await db.write((tx) => sql`analyze`.execute(tx));
}
