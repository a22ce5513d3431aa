import { sql } from 'kysely';
import type { Db } from '../../src/base/server/db/db.ts';

let next = 1;

/**
 * Blocks every PostgreSQL transaction that writes to a table, inside the transaction, until `release`. Lets a test run
 * transactions concurrently in a fixed order.
 */
export async function holdWrites(db: Db, table: string) {
  const key = next;
  next += 1;
  const name = `hold_${key}`;
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as
         'begin perform pg_advisory_xact_lock_shared(${key}); return new; end';
       create trigger ${name} before insert or update on "${table}" for each row execute function ${name}();`,
    )
    .execute(db.read);
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = db.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
    held.resolve();
    await gate.promise;
  });
  await held.promise;
  return {
    /** How many transactions wait for any lock. */
    waiting: async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(db.read);
      return Number(rows[0]?.n);
    },
    release: async (): Promise<void> => {
      gate.resolve();
      await holding;
      await sql.raw(`drop function ${name}() cascade`).execute(db.read);
    },
  };
}
