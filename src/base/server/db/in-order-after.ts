import { type SelectQueryBuilder, type SqlBool, type StringReference, sql } from 'kysely';

/**
 * Sorts a query by columns that are unique together, and continues it behind a row. It seeks in an index, so that the last
 * page costs as much as the first.
 * @param after the row's values of these columns; null starts with the first row
 */
export function inOrderAfter<DB, TB extends keyof DB, Output>(
  query: SelectQueryBuilder<DB, TB, Output>,
  columns: readonly StringReference<DB, TB>[],
  after: readonly (string | number)[] | null,
  direction: 'asc' | 'desc' = 'asc',
): SelectQueryBuilder<DB, TB, Output> {
  const keys = columns.map((column) => sql.ref(column));
  const beyond = direction === 'asc' ? sql`>` : sql`<`;
  const rest =
    after === null ? query : query.where(sql<SqlBool>`(${sql.join(keys)}) ${beyond} (${sql.join([...after])})`);
  return keys.reduce((sorted, key) => sorted.orderBy(key, direction), rest);
}
