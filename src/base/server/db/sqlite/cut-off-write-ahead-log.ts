import { realpathSync, truncateSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Cuts a database's log off behind its last commit, so that the next one is written to new pages. Call it under the write
 * lock and before any change. SQLite holds no locks on the log's file, so opening and closing it releases none.
 * @param reading a connection without an open statement or transaction
 */
export function cutOffWriteAheadLog(reading: BetterSqlite3.Database): void {
  const [state] = reading.pragma('wal_checkpoint(NOOP)') as [{ busy: number; log: number }];
  if (state.busy !== 0 || state.log < 0) throw new Error('SQLite does not say where its log ends');
  const pageBytes = reading.pragma('page_size', { simple: true }) as number;
  const length = state.log === 0 ? 0 : HEADER_BYTES + state.log * (FRAME_HEADER_BYTES + pageBytes);
  // SQLite follows a link of the database's file, and puts the log beside its target.
  truncateSync(`${realpathSync(reading.name)}-wal`, length);
}
