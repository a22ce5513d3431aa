import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { findBreaks } from '../../../../../tests/support/catalog-breaks.ts';
import { readCatalog } from '../../../../../tests/support/database-catalog.ts';
import { withEmptyDatabase } from '../../../../../tests/support/empty-database.ts';
import { describeOnBoth } from '../../../../../tests/support/engines.ts';
import { lastMigration, migrateTo } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { latestMigration, migrations } from './index.ts';

describeOnBoth('migration 0020', (engine) => {
  it('renames three tables and keeps their rows, also when it runs again after a crash', async () => {
    await withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, '0019-chore-owners');
      await sql`insert into couples ("id", "timeZone", "createdAt") values ('us', 'UTC', 1)`.execute(migrate);
      await sql`insert into chores ("name", "heldUntil", "heldBy", "doneAt", "state")
        values ('scrub', 2, 'a-node', 3, '{"after":null}')`.execute(migrate);
      await sql`insert into damages ("coupleId", "fileName", "kind", "foundAt")
        values ('us', 'a.jpg', 'lost', 4)`.execute(migrate);
      await sql`insert into intents ("coupleId", "fileName", "createdAt") values ('us', 'b', 5)`.execute(migrate);
      // On SQLite a process may die between two renames.
      if (db.engine === 'sqlite') await sql`alter table chores rename to "scheduledJobs"`.execute(migrate);

      await migrateTo(migrate, null);

      expect(await lastMigration(migrate)).toBe(latestMigration);
      const [jobs, damaged, pending] = await Promise.all([
        db.read.selectFrom('scheduledJobs').selectAll().execute(),
        db.read.selectFrom('damagedFiles').selectAll().execute(),
        db.read.selectFrom('pendingFiles').selectAll().execute(),
      ]);
      expect(jobs).toEqual([{ name: 'scrub', heldUntil: 2, heldBy: 'a-node', doneAt: 3, state: '{"after":null}' }]);
      expect(damaged).toEqual([{ coupleId: 'us', fileName: 'a.jpg', kind: 'lost', foundAt: 4 }]);
      expect(pending).toEqual([{ coupleId: 'us', fileName: 'b', createdAt: 5 }]);
      await migrate.deleteFrom('couples').execute();
      expect(await db.read.selectFrom('pendingFiles').selectAll().execute()).toEqual([]);
    });
  });
});

/** What no expand migration may do, and how it is reported. */
const breaking: [what: string, statements: string[], reported: string[]][] = [
  ['drops a table', ['drop table "pieces"'], ['The table pieces is gone.']],
  ['renames a table', ['alter table "tries" rename to "attempts"'], ['The table tries is gone.']],
  ['drops a column', ['alter table "ideas" drop column "description"'], ['The column ideas.description is gone.']],
  [
    'renames a column',
    ['alter table "dates" rename column "location" to "place"'],
    ['The column dates.location is gone.'],
  ],
  [
    'adds a column that must be given',
    [
      'create table "copy" as select * from "tries"',
      'drop table "tries"',
      'create table "tries" ("key" text primary key, "times" text not null, "expire" bigint not null, "what" text not null)',
    ],
    ['The new column tries.what is required.'],
  ],
  [
    'makes a value unique',
    ['create unique index "ideas_once" on "ideas" ("coupleId", "title")'],
    ['ideas (coupleId, title) must be unique.'],
  ],
  ['drops a unique index', ['drop index "uploads_once"'], ['The unique index of uploads (coupleId, key) is gone.']],
  [
    'refers to rows that others delete',
    ['create table "postcards" ("coupleId" text primary key references "couples" ("id"))'],
    ['postcards (coupleId) keeps older nodes from deleting rows of couples.'],
  ],
];

/** What the catalog shows but no release relies on. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  '0021-background-work': ['The unique index of users (id) is gone.'],
};

/** What an expand migration may do. */
const harmless = [
  'create table "postcards" ("coupleId" text primary key references "couples" ("id") on delete cascade)',
  'alter table "ideas" add column "cost" bigint not null default 0',
  'alter table "ideas" add column "nickname" text',
  'create unique index "ideas_by_nickname" on "ideas" ("coupleId", "nickname")',
  'create index "ideas_by_title" on "ideas" ("coupleId", "title")',
];

describeOnBoth('expand migrations', (engine) => {
  it('change nothing that an older node needs', { tags: ['durability.nodes.13'] }, () =>
    withEmptyDatabase(engine, async ({ db, migrate }) => {
      for (const [name, { kind }] of Object.entries(migrations)) {
        const before = await readCatalog(migrate, db.engine);
        await migrateTo(migrate, name);
        if (kind !== 'expand') continue;
        const breaks = findBreaks(before, await readCatalog(migrate, db.engine));
        expect(
          breaks.filter((text) => !exceptions[name]?.includes(text)),
          name,
        ).toEqual([]);
      }
    }),
  );

  it('are found out if they do', { tags: ['durability.nodes.13'] }, () =>
    withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, null);
      const before = await readCatalog(migrate, db.engine);
      const after = async (statements: readonly string[]) => {
        let breaks: string[] = [];
        const isUndone = new Error('undone');
        const run = async (tx: Kysely<Tables>) => {
          for (const statement of statements) await sql.raw(statement).execute(tx);
          breaks = findBreaks(before, await readCatalog(tx, db.engine));
          throw isUndone;
        };
        await expect(migrate.transaction().execute(run)).rejects.toBe(isUndone);
        return breaks;
      };
      for (const [what, statements, reported] of breaking) expect(await after(statements), what).toEqual(reported);
      expect(await after(harmless)).toEqual([]);
    }),
  );

  it('leave nothing behind if they fail halfway', { tags: ['durability.nodes.13'] }, () =>
    withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, null);
      const before = await readCatalog(migrate, db.engine);
      const halfway = async (on: Kysely<unknown>) => {
        await on.schema.createTable('postcards').addColumn('id', 'text').execute();
        throw new Error('the process dies');
      };
      const next = { ...migrations, '9001-postcards': { kind: 'expand', up: halfway } } as const;
      await expect(migrateTo(migrate, null, next)).rejects.toThrow('the process dies');
      expect(await readCatalog(migrate, db.engine)).toEqual(before);
      expect(await lastMigration(migrate)).toBe(latestMigration);
    }),
  );
});
