import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames, unwrap, wrap } from 'idb';
import { hasPageSessionEnded } from './page-session-end.ts';

/**
 * Describes a database on this device, which opens on first use.
 * @param upgrade creates the stores that a database of version `from` lacks (0: a new one)
 * @returns a function that returns the open database, and opens it again after it was closed or could not be opened; it
 *   throws if the browser can't store anything, and once the session is over
 */
export function deviceDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: (
    db: IDBPDatabase<Schema>,
    from: number,
    transaction: IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>,
  ) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  let close = () => undefined as void;
  const reset = () => {
    opening = null;
    close = () => undefined;
  };
  const open = async () => {
    // The databases are deleted then. Opening one would create it again, while the next page is still loading.
    if (hasPageSessionEnded()) throw new Error('The session is over');
    const db = await openDB<Schema>(name, version, {
      upgrade: (upgraded, from, _, transaction) => upgrade(upgraded, from, transaction),
      // Signing out in any tab deletes the database; an open connection would block that.
      blocking: (_, __, event) => {
        (event.target as IDBDatabase).close();
        reset();
      },
      // The browser closed it, for instance after a disk error.
      terminated: reset,
    });
    close = aborting(unwrap(db));
    return db;
  };
  // Browsers may freeze a page that is left, for the way back. In WebKit, a transaction of a frozen page blocks all later
  // writes of other pages, and a commit does not help. Its connections block the deletion of the database.
  const onLeaving = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    close();
    reset();
  };
  addEventListener('pagehide', onLeaving);
  return () => {
    if (opening) return opening;
    opening = open();
    // Not in `open`: a browser may throw before the promise is stored.
    opening.catch(reset);
    return opening;
  };
}

/** Returns a function that aborts all transactions and closes the connection. */
function aborting(db: IDBDatabase): () => void {
  const running = new Set<IDBTransaction>();
  // The library begins its transactions with this too.
  db.transaction = (...args) => {
    const transaction = IDBDatabase.prototype.transaction.apply(db, args);
    running.add(transaction);
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => running.delete(transaction));
    return transaction;
  };
  return () => {
    for (const transaction of running) abort(transaction);
    db.close();
  };
}

function abort(transaction: IDBTransaction): void {
  // The abort rejects this promise, and the library's reads do not wait for it.
  wrap(transaction).done.catch(() => undefined);
  try {
    transaction.abort();
  } catch {
    // It is being committed already.
  }
}

/** How long a page waits for this device, in milliseconds. */
const LIMIT_MS = 5000;

/** Waits for a result for a limited time: opening a database may take forever. The work goes on. */
export function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, new Promise<undefined>((done) => setTimeout(done, LIMIT_MS))]);
}

let hasAsked = false;

/**
 * Asks the browser once, without waiting, not to delete what this device stores when space runs out. Call it when
 * something is stored that exists nowhere else: some browsers ask the user.
 */
export function requestPersistentStorage(): void {
  if (hasAsked) return;
  hasAsked = true;
  // Missing on pages without HTTPS.
  const storage = navigator.storage as StorageManager | undefined;
  storage?.persist?.().catch(() => undefined);
}
