import { MINUTE } from '../../durations.ts';
import type { Readable } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

/** The current time in milliseconds, for event handlers. Components use `useNow`. */
export function clock(): number {
  return Date.now();
}

/** A timer may end a little early. */
const LATE_MS = 20;

const minute: Readable<number> = {
  get: () => Math.floor(Date.now() / MINUTE) * MINUTE,
  subscribe: (listener) => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      clearTimeout(timer);
      timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE) + LATE_MS);
      listener();
    };
    // A sleeping phone misses timers, so the time is also updated when the page becomes visible.
    document.addEventListener('visibilitychange', tick);
    tick();
    return () => {
      document.removeEventListener('visibilitychange', tick);
      clearTimeout(timer);
    };
  },
};

/** The start of the current minute, in milliseconds. The component renders again when the next minute begins. */
export function useNow(): number {
  return useStore(minute);
}
