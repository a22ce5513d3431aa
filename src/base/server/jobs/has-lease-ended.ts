import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DAY } from '../../durations.ts';

/**
 * Whether a lease in a column has ended. One that ends in more than a day comes from a server whose clock was wrong, and
 * which may have died: it would block for as long as the clock was ahead.
 * @param now in milliseconds
 */
export function hasLeaseEnded(column: string, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + DAY})`;
}
