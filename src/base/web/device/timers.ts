import { useEffect, useEffectEvent } from 'react';
import { browserState } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

const hidden = browserState(document, ['visibilitychange'], () => document.hidden);

/** Whether the page is hidden: by another tab or app, or a locked phone. */
export function useHidden(): boolean {
  return useStore(hidden);
}

/**
 * Calls `act` after `ms` milliseconds.
 * @param key what the time belongs to: another one starts it again, and null stops it
 */
export function useTimer(key: string | number | null, ms: number, act: () => void): void {
  const onEnd = useEffectEvent(act);
  useEffect(() => {
    if (key === null) return undefined;
    const timer = setTimeout(() => onEnd(), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
}

/** Calls `act` once the page has been visible for `ms` milliseconds in a row. `key` is that of `useTimer`. */
export function useVisibleTimer(key: string | number | null, ms: number, act: () => void): void {
  useTimer(useHidden() ? null : key, ms, act);
}
