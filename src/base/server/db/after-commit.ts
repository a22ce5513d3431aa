import type { Writer } from './db.ts';

const pending = new WeakMap<Writer, (() => void)[]>();

/**
 * Runs a callback after a transaction commits, and never if it rolls back. If the process dies right after the commit,
 * the callback is lost.
 * @throws Error on PostgreSQL, which notifies all nodes with NOTIFY inside the transaction instead
 */
export function afterCommit(tx: Writer, work: () => void): void {
  const list = pending.get(tx);
  if (!list) throw new Error('This engine has no callbacks after a commit');
  list.push(work);
}

/** Lets a transaction register callbacks with `afterCommit`. @returns a function that runs them */
export function collectCallbacks(tx: Writer): () => void {
  const list: (() => void)[] = [];
  pending.set(tx, list);
  return () => {
    for (const callback of list) callback();
  };
}

/** Runs a transaction, then the callbacks that it registered with `afterCommit`. */
export async function runAfterCommit<T>(
  transaction: (work: (tx: Writer) => Promise<T>) => Promise<T>,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  let runCallbacks = () => {};
  const result = await transaction((tx) => {
    runCallbacks = collectCallbacks(tx);
    return work(tx);
  });
  runCallbacks();
  return result;
}
