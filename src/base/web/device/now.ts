import { useSyncExternalStore } from 'react';
import { MINUTE, platformZone } from '../../time.ts';

/** The device's IANA time zone, for 'now', 'today', and local times; UTC if it has none. */
export function deviceZone(): string {
  return platformZone() ?? 'UTC';
}

/** The current time in milliseconds, for event handlers. Components use `useNow`. */
export function clock(): number {
  return Date.now();
}

const listeners = new Set<() => void>();
let minute = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  minute = Math.floor(Date.now() / MINUTE) * MINUTE;
  for (const listener of listeners) listener();
  clearTimeout(timer);
  timer = listeners.size === 0 ? undefined : setTimeout(tick, MINUTE - (Date.now() % MINUTE) + 20);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    // A sleeping phone misses timers, so the time is also updated when the page becomes visible.
    document.addEventListener('visibilitychange', tick);
    tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      document.removeEventListener('visibilitychange', tick);
      clearTimeout(timer);
    }
  };
}

/** The start of the current minute, in milliseconds. The component renders again when the next minute begins. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    if (listeners.size === 0) minute = Math.floor(Date.now() / MINUTE) * MINUTE;
    return minute;
  });
}
