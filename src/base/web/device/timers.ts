import { useEffect, useEffectEvent } from 'react';
import { useHidden } from './use-hidden.ts';

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
