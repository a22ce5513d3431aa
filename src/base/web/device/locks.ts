/** Web Locks exist only on HTTPS pages and on localhost. */
const locks = () => navigator.locks as LockManager | undefined;

/** Runs `work` in one tab at a time. Without locks it runs at once. */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks();
  return manager ? manager.request(name, work) : work();
}

/** Runs `work` unless a tab holds the lock. Without locks it runs in any case. */
export async function unlessLocked(name: string, work: () => Promise<void>): Promise<void> {
  const manager = locks();
  if (manager) await manager.request(name, { ifAvailable: true }, (lock) => lock && work());
  else await work();
}

/** Holds a lock, which several tabs may hold at once. Returns a function that releases it. */
export function holdLock(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void locks()?.request(name, { mode: 'shared' }, () => promise);
  return resolve;
}

/** Whether a tab holds the lock. Without locks none does. */
export async function isLockHeld(name: string): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? [];
  return held.some((lock) => lock.name === name);
}
