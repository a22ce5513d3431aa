import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/**
 * Describes a database on this device, which opens on first use.
 * @param upgrade creates the stores that a database of version `from` lacks (0: a new one)
 * @returns a function that returns the open database, and opens it again after the browser has closed it or could not
 *   open it; it throws if the browser can't store anything
 */
export function deviceDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: (db: IDBPDatabase<Schema>, from: number) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const reset = () => {
    opening = null;
  };
  const open = () =>
    openDB<Schema>(name, version, {
      upgrade,
      // Signing out in any tab deletes the database; an open connection would block that.
      blocking: (_, __, event) => {
        (event.target as IDBDatabase).close();
        reset();
      },
      // The browser closed it, for instance after a disk error.
      terminated: reset,
    }).catch((error: unknown) => {
      reset();
      throw error;
    });
  return () => (opening ??= open());
}
