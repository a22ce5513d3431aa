import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../ids.ts';
import type { Reader, Writer } from './db/db.ts';
import { prepared } from './db/prepared.ts';
import type { RecentChangesTable } from './db/tables.ts';
import { LONG_AGO_MS } from './last-changes.ts';

/**
 * When each couple's latest changes were announced, in PostgreSQL. A node that begins to listen to a couple reads there when
 * their last change was (decision 27).
 */

/** How long after its announcement a change may be committed. The health check looks for transactions that take longer. */
const COMMIT_MS = 30_000;
/** The most rows that one announcement deletes. */
const MAX_DELETED = 100;

/** Milliseconds by the database's clock, which all nodes share. */
const now: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Records that a change is announced. Also deletes the couple's rows that nobody reads anymore. It skips those that another
 * transaction is deleting, so that no transaction waits for another.
 * @param only the only partner who may know of the change; undefined if both may
 */
export async function recordChange(tx: Writer, coupleId: CoupleId, only: UserId | undefined): Promise<void> {
  await insertChange(tx, { coupleId, userId: only ?? null, id: uuidv7(), keepMs: LONG_AGO_MS + COMMIT_MS });
}

type Insertion = Readonly<Pick<RecentChangesTable, 'coupleId' | 'id' | 'userId'> & { keepMs: number }>;

const insertChange = prepared<Insertion, unknown>((tx, value) =>
  tx
    .with('deleted', (db) =>
      db
        .deleteFrom('recentChanges')
        .where('coupleId', '=', value('coupleId'))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('recentChanges')
            .select('id')
            .where('coupleId', '=', value('coupleId'))
            .where('announcedAt', '<', sql<number>`${now} - ${value('keepMs')}::bigint`)
            .limit(MAX_DELETED)
            .forUpdate()
            .skipLocked(),
        ),
    )
    .insertInto('recentChanges')
    .values({ coupleId: value('coupleId'), id: value('id'), userId: value('userId'), announcedAt: now }),
);

export interface LastChange {
  readonly coupleId: CoupleId;
  /** The only partner who may know of it; undefined if both may. */
  readonly only: UserId | undefined;
  /** It was committed at least this many milliseconds ago. */
  readonly ago: number;
}

/** Reads when the last changes of couples were: of each the one that both may know, and those that one alone may. */
export async function readLastChanges(reader: Reader, couples: readonly CoupleId[]): Promise<LastChange[]> {
  const rows = await reader
    .selectFrom('recentChanges')
    .where(sql<boolean>`"coupleId" = any(${couples})`)
    .groupBy(['coupleId', 'userId'])
    .select(['coupleId', 'userId', sql<number>`${now} - max("announcedAt")`.as('age')])
    .execute();
  return rows.map(({ coupleId, userId, age }) => ({
    coupleId,
    only: userId ?? undefined,
    ago: Math.max(0, age - COMMIT_MS),
  }));
}
