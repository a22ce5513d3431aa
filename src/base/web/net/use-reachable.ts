import { useEffect, useEffectEvent } from 'react';
import { useStore } from '../state/use-store.ts';
import { online, reachable } from './reachable.ts';
import { keepTrying } from './schedule-retry.ts';

/** Whether the server can be reached, as far as this page knows. Until then, screens show what was last seen. */
export function useReachable(): boolean {
  return useStore(reachable);
}

/** Whether the browser says that it is online. */
export function useOnline(): boolean {
  return useStore(online);
}

/**
 * Attempts something at once, when the browser is online again, and at least every 15 seconds.
 * @param key what is attempted: another one begins at once, and null stops it
 */
export function useAttempts(key: string | number | null, attempt: () => Promise<unknown>): void {
  const act = useEffectEvent(() => void attempt().catch(() => undefined));
  useEffect(() => (key === null ? undefined : keepTrying(() => act())), [key]);
}
