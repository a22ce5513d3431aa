import { browserState, createStore, type Readable } from '../state/store.ts';

/** Whether the server answered when this page last asked for its session. */
export const hasAnswered = createStore(true);

/** Whether the browser says that it is online. */
export const online = browserState(window, ['online', 'offline'], () => navigator.onLine);

/** Whether the server can be reached, as far as this page knows. */
export const reachable: Readable<boolean> = {
  get: () => navigator.onLine && hasAnswered.get(),
  subscribe: (listener) => {
    const stops = [online.subscribe(listener), hasAnswered.subscribe(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

/** Whether the server can be reached, for event handlers. Components use `useReachable`. */
export function isReachable(): boolean {
  return reachable.get();
}
