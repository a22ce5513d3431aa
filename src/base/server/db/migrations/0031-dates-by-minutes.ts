import { type Kysely, sql } from 'kysely';

/**
 * An index of completed dates by their whole minutes, in which the longest and the shortest are found without reading all
 * of them. The expression is that of the statistics, to the letter: otherwise SQLite doesn't use the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "dates_by_minutes" on "dates" ("coupleId", (case when "actualEndTime" > "actualStartTime"
    then ("actualEndTime" - "actualStartTime") / 60000 else 0 end), "actualStartTime", "id")
    where "status" = 'Completed' and "deletedAt" is null and "actualStartTime" is not null
    and "actualEndTime" is not null`.execute(db);
}
