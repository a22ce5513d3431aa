import { type Expression, type RawBuilder, sql } from 'kysely';

/** The sum of whole numbers; 0 of none. In PostgreSQL, the sum of bigints is a numeric, which the driver returns as text. */
export function sumOf(values: Expression<number>): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${values}), 0) as bigint)`;
}
