/** A value that changes, and that components and others can follow. */
export interface Readable<T> {
  readonly get: () => T;
  /** Calls the listener after each change. Returns a function that ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Store<T> extends Readable<T> {
  readonly set: (next: T) => void;
}

/** Creates a store. Setting the same value again tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What the browser knows and announces by events, such as whether it is online. */
export function browserState<T>(target: EventTarget, events: readonly string[], get: () => T): Readable<T> {
  return {
    get,
    subscribe: (listener) => {
      for (const event of events) target.addEventListener(event, listener);
      return () => {
        for (const event of events) target.removeEventListener(event, listener);
      };
    },
  };
}
