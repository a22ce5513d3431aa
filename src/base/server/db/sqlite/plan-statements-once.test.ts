import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useSqlite } from '../../../../../tests/support/use-sqlite.ts';
import type { Reader } from '../db.ts';

const here = useSqlite();

it('SQLite plans a statement alike for all values, so that it plans each only once', async () => {
  const { db, migrate } = here;
  // An index has only completed dates. With a parameter that SQLite looks at, it would be used for their status alone.
  const planOf = async (reader: Reader, status: 'Completed' | 'Planned') => {
    const { rows } = await sql<{ detail: string }>`explain query plan
        select "id" from "dates" where "status" = ${status} and "deletedAt" is null`.execute(reader);
    return rows.map(({ detail }) => detail);
  };
  for (const reader of [db.read, migrate]) {
    expect(await planOf(reader, 'Completed')).toEqual(await planOf(reader, 'Planned'));
  }
  await db.snapshot(async (reader) => {
    expect(await planOf(reader, 'Completed')).toEqual(await planOf(reader, 'Planned'));
  });
});
