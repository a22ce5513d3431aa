import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Indexes from which the figures of a long history are summed without reading its rows, and lists by status and the
 * trash are read. SQLite reads only the index if it has every column of the query, also those in its condition.
 */
export async function historyIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, table: string, columns: string[], condition: RawBuilder<SqlBool>) =>
    db.schema
      .createIndex(name)
      .on(table)
      .columns(['coupleId', ...columns])
      .where(condition)
      .execute();
  const live = sql<SqlBool>`"deletedAt" is null`;
  const completed = sql<SqlBool>`"status" = 'Completed' and "deletedAt" is null`;
  const inTrash = sql<SqlBool>`"deletedAt" is not null`;
  await index('dates_by_status', 'dates', ['status', 'plannedDateTime', 'id', 'deletedAt'], live);
  const plan = ['status', 'plannedDateTime', 'actualStartTime', 'actualEndTime', 'deletedAt'];
  await index('dates_of_idea', 'dates', ['ideaId', ...plan], live);
  await index('dates_completed', 'dates', ['actualStartTime', 'id', 'actualEndTime', 'status', 'deletedAt'], completed);
  await index('dates_by_end', 'dates', ['actualEndTime', 'actualStartTime', 'status', 'deletedAt'], completed);
  await index('dates_in_trash', 'dates', ['deletedAt', 'id'], inTrash);
  const shown = sql<SqlBool>`"deletedAt" is null and "dateDeletedAt" is null`;
  await index('memories_of_date', 'memories', ['dateId', 'fileSizeBytes', 'deletedAt', 'dateDeletedAt'], shown);
  await index('memories_in_trash', 'memories', ['deletedAt', 'id'], inTrash);
  const withDate = sql<SqlBool>`"deletedAt" is null and "dateDeletedAt" is not null`;
  await index('memories_with_date', 'memories', ['dateId', 'deletedAt', 'dateDeletedAt'], withDate);
}
