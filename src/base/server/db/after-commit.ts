import type { Writer } from './db.ts';

const pending = new WeakMap<Writer, (() => void)[]>();

/**
 * Runs work once a transaction has committed, and never if it rolls back. For work in this process only: where the
 * process dies right after the commit, the work is lost.
 * @throws Error where the engine keeps no such list: PostgreSQL tells every node by NOTIFY inside the transaction
 */
export function afterCommit(tx: Writer, work: () => void): void {
  const list = pending.get(tx);
  if (!list) throw new Error('This transaction runs nothing after its commit');
  list.push(work);
}

/** Runs a transaction, then what it has asked for by `afterCommit`. */
export async function runAfterCommit<T>(
  transaction: (work: (tx: Writer) => Promise<T>) => Promise<T>,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  const list: (() => void)[] = [];
  const result = await transaction((tx) => {
    pending.set(tx, list);
    return work(tx);
  });
  for (const committed of list) committed();
  return result;
}
