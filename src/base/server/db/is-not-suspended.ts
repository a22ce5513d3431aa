import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A condition on the rows of a query: their couple is not suspended. @param column with the couple's id, with its table */
export function isNotSuspended(column: `${string}.coupleId`): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from "couples" where "couples"."id" = ${sql.ref(column)} and "couples"."suspendedAt" is not null)`;
}
