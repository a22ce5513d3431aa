import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestStorage, describeOnBoth } from '../../../../../tests/support/engines.ts';
import { readConfig } from '../../config.ts';
import { findDb, lastMigration, migrateTo } from '../open.ts';
import { latestMigration } from './index.ts';

describeOnBoth('migration 0020', (engine) => {
  it('renames three tables and keeps their rows, also when it runs again after a crash', async () => {
    const storage = await createTestStorage(engine);
    const { db, migrate } = findDb(readConfig(storage.env));
    try {
      if (db.engine === 'postgres') await sql.raw('drop schema public cascade; create schema public').execute(migrate);
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
    } finally {
      await db.close();
      await storage.remove();
    }
  });
});
