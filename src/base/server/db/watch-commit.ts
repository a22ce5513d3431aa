import { Refusal } from '../../refusal.ts';
import { toRefusal } from '../http/to-refusal.ts';
import type { Writer } from './db.ts';

/** A transaction whose outcome is asked for after it has failed. */
export interface WatchedWork<T> {
  /** Run this in the transaction, in place of the original work. */
  readonly work: (tx: Writer) => Promise<T>;
  /**
   * Whether the transaction is certain to have rolled back, so that files it would have needed may be removed. Otherwise
   * it may be committed, even if a query doesn't find its rows yet: the answer to COMMIT was late or lost. What isn't
   * certain is left to the sweep.
   * @param error with which the transaction failed
   */
  isRolledBack(error: unknown): boolean;
}

/** Watches the work of one transaction: before its work has ended, no COMMIT is sent. */
export function watchCommit<T>(work: (tx: Writer) => Promise<T>): WatchedWork<T> {
  let hasEnded = false;
  return {
    work: async (tx) => {
      // Work runs again only after a certain rollback.
      hasEnded = false;
      const result = await work(tx);
      hasEnded = true;
      return result;
    },
    // After a refusal or a full disk no COMMIT has succeeded.
    isRolledBack: (error) => !hasEnded || error instanceof Refusal || toRefusal(error)?.status === 507,
  };
}
