import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type ServerApp } from '../../src/app/server/app.ts';
import type { CallName } from '../../src/base/call.ts';
import { DAY } from '../../src/base/durations.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { makePasskey } from '../support/authenticator.ts';
import { CALLS, rowOf } from '../support/call-matrix.ts';
import { Caller } from '../support/caller.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { createMarkedStory, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import type { StartedServer } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres.ts';
import { startPushService } from '../support/push-service.ts';
import { joinAsBen, registerAda, registerCouple } from '../support/register-couple.ts';
import { COUPLES_TABLES, CROSS_COUPLE_INDEXES, GLOBAL_TABLES, PLACEMENTS } from '../support/table-placements.ts';
import { tableUses } from '../support/table-uses.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';
import { sendInParts } from '../support/tus.ts';

/**
 * Proves on PostgreSQL that the tables can be distributed by couple: by the catalog, and by all
 * statements that a pass over all calls sends.
 */

/** Statements of requests that don't find rows by an access path, and why they may. */
const EXCEPTIONS: readonly { readonly statement: RegExp; readonly why: string }[] = [
  { statement: /^select "id" from "users" limit /, why: 'whether anyone has registered; any row will do' },
  {
    statement: /^select "coupleId" from "erasures" order by "coupleId" asc limit /,
    why: 'background work that a request starts: a deleted space whose files are left',
  },
  { statement: /^select "name" from "kysely_migration" order by /, why: '/readyz: the few migrations that ran' },
];

/** Tables of the migrations themselves. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

let postgres: StartedServer;
let storage: TestStorage;
let app: ServerApp;
let url: string;
beforeAll(async () => {
  postgres = await startPostgres(['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.max=10000']);
  storage = await createTestStorage(sqliteAndDisk);
  const env = { ...storage.env, DATABASE_URL: postgres.url, REGISTRATION: 'open', LOG_LEVEL: 'silent' };
  app = await createApp(readConfig(env), { localPush: true, registrations: Number.POSITIVE_INFINITY });
  // Without `app.listen`, no background work starts: every statement belongs to a request.
  url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await postgres.stop();
  await storage.remove();
});

async function queryRows<Row>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(app.db.read)).rows;
}

describe('the tables', () => {
  it('are each either distributed by couple or named as global', { tags: ['durability.nodes.14'] }, async () => {
    const rows = await queryRows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
    );
    const names = rows.map(({ name }) => name).filter((name) => !MIGRATION_TABLES.includes(name));
    expect(names.toSorted()).toEqual([...COUPLES_TABLES, ...GLOBAL_TABLES].toSorted());
  });

  it('of couples have only keys and indexes that begin with the couple’s id, but for those of background work', {
    tags: ['durability.nodes.14'],
  }, async () => {
    const wrong = (await indexes())
      .filter(({ table }) => COUPLES_TABLES.includes(table))
      .filter(
        ({ name, isUnique, columns: [first] }) => first !== 'coupleId' && (isUnique || !CROSS_COUPLE_INDEXES[name]),
      );
    expect(wrong).toEqual([]);
    const names = (await indexes()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(CROSS_COUPLE_INDEXES)));
  });

  it('of couples refer to others only together with the couple’s id', { tags: ['durability.nodes.14'] }, async () => {
    const keys = await queryRows<{ name: string; from: string; to: string; columns: string[]; target: string[] }>(
      `select conname as name, conrelid::regclass::text as "from", confrelid::regclass::text as "to",
        array(select attname::text from unnest(conkey) with ordinality as k(n, i)
          join pg_attribute on attrelid = conrelid and attnum = k.n order by k.i) as columns,
        array(select attname::text from unnest(confkey) with ordinality as k(n, i)
          join pg_attribute on attrelid = confrelid and attnum = k.n order by k.i) as target
        from pg_constraint where contype = 'f'`,
    );
    expect(keys.length).toBeGreaterThan(15);
    for (const { name, from, to, columns, target } of keys) {
      const [source, goal] = [from.replaceAll('"', ''), to.replaceAll('"', '')];
      expect({ name, columns: columns[0], target: target[0] }).toEqual({
        name,
        columns: 'coupleId',
        target: goal === 'couples' ? 'id' : 'coupleId',
      });
      // A global table can't refer to a distributed one.
      if (GLOBAL_TABLES.includes(source)) expect(GLOBAL_TABLES).toContain(goal);
    }
  });

  /** Indexes that only nodes of version 1.0.0 use. They are dropped a release later. */
  const NOT_USED = ['sessions_by_former'];

  it('that are global are found only by their access paths, and each path has an index', {
    tags: ['durability.nodes.14'],
  }, async () => {
    const all = await indexes();
    for (const table of GLOBAL_TABLES) {
      const placement = PLACEMENTS[table as keyof typeof PLACEMENTS];
      const paths = placement.kind === 'global' ? Object.keys(placement.paths) : [];
      const firsts = all
        .filter((index) => index.table === table && !NOT_USED.includes(index.name))
        .map(({ columns: [first = ''] }) => first);
      expect({ table, firsts: [...new Set(firsts)].toSorted() }).toEqual({ table, firsts: paths.toSorted() });
    }
  });
});

async function indexes() {
  return queryRows<{ table: string; name: string; isUnique: boolean; columns: string[] }>(
    `select t.relname as "table", i.relname as name, x.indisunique as "isUnique",
      array(select attname::text from unnest(x.indkey::int2[]) with ordinality as k(n, i)
        join pg_attribute on attrelid = t.oid and attnum = k.n order by k.i) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where t.relnamespace = 'public'::regnamespace and t.relname not like 'kysely%'`,
  );
}

describe('the statements of requests', () => {
  it('find the rows of couples by the couple’s id, and of global tables by an access path', {
    tags: ['durability.nodes.14'],
    timeout: 240_000,
  }, async () => {
    await sql.raw('create extension pg_stat_statements').execute(app.db.read);
    await sql.raw('select pg_stat_statements_reset()').execute(app.db.read);
    await makeAllCalls();
    const rows = await queryRows<{ query: string }>(
      `select query from pg_stat_statements where toplevel and query like '%"%' and query not like '%pg_stat_statements%'`,
    );
    const statements = rows.map(({ query }) => query).filter((query) => tableUses(query).length > 0);
    expect(statements.length).toBeGreaterThan(150);
    const used = new Set(statements.flatMap((statement) => tableUses(statement).map(({ table }) => table)));
    // Nobody goes to an OpenID provider. No newer version has changed the tables. Registration is open, so there is no setup
    // code. Only a command imports.
    const unused = [...COUPLES_TABLES, ...GLOBAL_TABLES].filter((table) => !used.has(table));
    expect(unused.toSorted()).toEqual(['importedFiles', 'migrationKinds', 'oidcArrivals', 'oidcStarts', 'setupCodes']);
    expect(statements.flatMap(faultsOf)).toEqual([]);
  });

  it('would be reported', () => {
    expect(faultsOf('select * from "dates" where "id" = $1')).toHaveLength(1);
    expect(faultsOf('select * from "dates" where "coupleId" = $1 and "id" = $2')).toEqual([]);
    expect(
      faultsOf(
        'select * from "dates" inner join "ideas" on "ideas"."id" = "dates"."ideaId" where "dates"."coupleId" = $1',
      ),
    ).toHaveLength(1);
    expect(faultsOf('update "dates" set "coupleId" = $1 where "id" = $2')).toHaveLength(1);
    expect(faultsOf('select 1 from "users" where "coupleId" = $1 and exists (select 1 from "dates")')).toHaveLength(1);
    expect(faultsOf('insert into "dates" ("id") values ($1)')).toHaveLength(1);
    expect(faultsOf('select * from "sessions" where "lastUsedAt" > $1')).toHaveLength(1);
    expect(faultsOf('select * from "sessions" where "tokenHash" = $1')).toEqual([]);
  });
});

function faultsOf(statement: string): string[] {
  if (EXCEPTIONS.some((exception) => exception.statement.test(statement))) return [];
  return tableUses(statement).flatMap(({ table, columns, text }) => {
    const placement = PLACEMENTS[table as keyof typeof PLACEMENTS];
    const paths = placement?.kind === 'global' ? Object.keys(placement.paths) : ['coupleId'];
    return paths.some((path) => columns.has(path)) ? [] : [`${table}: ${text}`];
  });
}

/** Makes every call of every contract: with another couple's ids, with its own, and those that end something. */
async function makeAllCalls(): Promise<void> {
  // First, because the matrix tries wrong codes, which limits later attempts.
  await useEachFeature();
  const { ada, ben } = await registerCouple({ url });
  const story = await createMarkedStory(ada, ben);
  const { ada: eve } = await registerCouple({ url });
  await makeCalls(eve, story);
  await makeCalls(ada, story);
}

/** Makes the calls of the matrix, deletions last. A call may be refused. */
async function makeCalls(who: Partner, story: Theirs): Promise<void> {
  const isLate = (name: CallName) => (name.startsWith('DELETE') ? 1 : 0);
  const calls = CALLS.filter(([name]) => name !== 'POST /api/auth/logout').toSorted(
    ([a], [b]) => isLate(a) - isLate(b),
  );
  for (const [name] of calls) {
    for (const { params, query, body, form, tus } of rowOf(name)(story)) {
      await who.request(name, { params, query, body: form ? await form() : body }, tus);
    }
  }
}

/** Uses what the matrix only tries: each call succeeds. */
async function useEachFeature(): Promise<void> {
  const service = await startPushService();
  const ada = await registerAda({ url }, `ada-${crypto.randomUUID()}@example.org`);
  const ben = await joinAsBen({ url }, ada, `ben-${crypto.randomUUID()}@example.org`);
  const done = async (name: CallName, input: Parameters<Caller['request']>[1] = {}, who: Caller = ada) => {
    const answer = await who.request(name, input, { headers: { 'idempotency-key': crypto.randomUUID() } });
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string>;
  };
  const password = { currentPassword: ada.password };
  const events = await subscribeToEvents(ben);
  await done('PUT /api/couple', { body: { togetherSince: '2020-02-02', timeZone: 'Europe/Rome' } });
  await events.next();
  events.close();
  await done('PUT /api/reminders/device', { body: service.subscribe().subscription }, ben);
  await done('PUT /api/reminders', { body: { tomorrow: false } }, ben);
  const date = await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
  const next = await planDate(ada);
  for (const who of [ada, ben]) {
    await done('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date.id }, body: { text: 'A walk' } }, who);
  }
  await addPhoto(ada, date.id, 1);
  await sendInParts(ada, await makeJpeg({ seed: 2 }), { dateId: date.id, key: crypto.randomUUID() });
  const photo = await addPhoto(ada, date.id, 3);
  const image = { params: { id: photo.id }, query: { size: 'original' } };
  await done('GET /api/Memories/{id}/image', image);
  await done('DELETE /api/Memories/{id}', { params: { id: photo.id } });
  await done('POST /api/Trash/{id}/restore', { params: { id: photo.id } });
  await done('DELETE /api/Memories/{id}', { params: { id: photo.id } });
  await done('DELETE /api/Trash/{id}', { params: { id: photo.id } });
  await done('PUT /api/PlannedDates/{id}', {
    params: { id: next.id },
    body: { plannedDateTime: next.plannedDateTime },
  });
  await done('GET /api/PlannedDates/{id}/calendar', { params: { id: next.id } });
  await done('POST /api/PlannedDates/{id}/cancel', { params: { id: next.id } });
  const past = await planDate(ada, { at: Date.now() - DAY });
  await done('POST /api/PlannedDates/{id}/went', { params: { id: past.id } });
  await done('POST /api/PlannedDates/{id}/went/undo', { params: { id: past.id } });
  await done('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
  await done('POST /api/Trash/{id}/restore', { params: { id: date.id } });
  await done('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
  await done('DELETE /api/Trash/{id}', { params: { id: date.id } });
  const idea = await addIdea(ada);
  await done('PUT /api/DateIdeas/{id}', { params: { id: idea.id }, body: { title: 'A walk', category: 'Outdoor' } });
  await done('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
  const calendar = await done('POST /api/calendar');
  await done(`GET ${new URL(calendar.url ?? '').pathname}` as CallName);
  const exported = await done('POST /api/export');
  await done(`GET ${exported.url}` as CallName, {}, new Caller(url));
  const { passkey, device } = await makePasskey(ada);
  const options = (await done('POST /api/auth/passkeys/sign-in/options', {}, new Caller(url))) as never;
  await done('POST /api/auth/passkeys/sign-in', { body: device.get(options) }, new Caller(url));
  await done('DELETE /api/auth/passkeys/{id}', { params: { id: passkey.id } });
  await done('POST /api/auth/recovery');
  await done('DELETE /api/auth/recovery');
  const recovery = await done('POST /api/auth/recovery');
  await done('GET /api/auth/recovery');
  await done('POST /api/auth/recovery/agree', {}, ben);
  const code = recovery.url?.split('/').at(-1) ?? '';
  await done('POST /api/auth/recovery/{code}', { params: { code }, body: { newPassword: 'a new evening at home' } });
  await done('PUT /api/auth/profile', { body: { displayName: 'Ada A.' } });
  await done('PUT /api/auth/password', { body: { ...password, newPassword: 'another evening at home' } });
  await done('POST /api/auth/login', { body: { email: ada.email, password: 'another evening at home' } });
  await done('POST /api/couple/deletion', { body: { currentPassword: 'another evening at home' } });
  await done('DELETE /api/couple/deletion');
  await done('POST /api/auth/leave', { body: { currentPassword: 'another evening at home' } });
  const last = await registerCouple({ url });
  await done('POST /api/couple/deletion', { body: { currentPassword: last.ada.password } }, last.ada);
  await done('POST /api/couple/deletion', { body: { currentPassword: last.ben.password } }, last.ben);
  const gone = await registerAda({ url }, `${crypto.randomUUID()}@example.org`);
  expect(await gone.renew()).toBe(true);
  await done('POST /api/auth/logout', {}, gone);
  for (const path of ['/readyz', '/metrics']) await fetch(url + path);
  await service.close();
}
