import type { Kysely } from 'kysely';

/** An index for recalling past dates, so that a query reads only the days it shows. */
export async function datesByStart(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('dates_by_start').on('dates').columns(['coupleId', 'actualStartTime']).execute();
}
