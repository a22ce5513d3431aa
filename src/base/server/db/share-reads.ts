/**
 * Lets calls for the same key at the same time share one read. A call that comes while it is under way shares the next
 * one, so that every result was read after it was asked for, and has what was committed before.
 */
export function shareReads<Key extends string, T>(read: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const running = new Map<Key, Promise<T>>();
  const waiting = new Map<Key, Promise<T>>();
  const start = (key: Key): Promise<T> => {
    const reading = read(key).finally(() => {
      if (running.get(key) === reading) running.delete(key);
    });
    running.set(key, reading);
    return reading;
  };
  return (key) => {
    const next = waiting.get(key);
    if (next) return next;
    const current = running.get(key);
    if (!current) return start(key);
    const startNext = () => {
      waiting.delete(key);
      return start(key);
    };
    const later = current.then(startNext, startNext);
    waiting.set(key, later);
    return later;
  };
}
