import { useEffect, useEffectEvent } from 'react';
import { keepTrying } from './schedule-retry.ts';

/**
 * Attempts something at once, when the browser is online again, and at least every 15 seconds.
 * @param key what is attempted: another one begins at once, and null stops it
 */
export function useAttempts(key: string | number | null, attempt: () => Promise<unknown>): void {
  const act = useEffectEvent(() => void attempt().catch(() => undefined));
  useEffect(() => (key === null ? undefined : keepTrying(() => act())), [key]);
}
