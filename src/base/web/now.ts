import { useSyncExternalStore } from 'react';
import { MINUTE } from '../time.ts';
import { drawnWith, onServer } from './first.ts';

/** The zone of this device: 'now', 'today' and local times are the device's (contract 5). */
export function deviceZone(): string {
  return onServer()?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The very moment, in milliseconds: for what happens at a press, not for what is drawn. */
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
    // A phone that slept has missed its timers; it is told the time when it is looked at again.
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

/** The present minute, in milliseconds; whoever reads it is drawn anew when the next begins. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => {
      if (listeners.size === 0) minute = Math.floor(Date.now() / MINUTE) * MINUTE;
      return minute;
    },
    () => Math.floor(drawnWith().now / MINUTE) * MINUTE,
  );
}
