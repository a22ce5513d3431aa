import { useEffect, useEffectEvent, useState } from 'react';

/** Whether the page is hidden: by another tab or app, or a locked phone. */
export function useHidden(): boolean {
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const update = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return hidden;
}

/**
 * Calls `act` once the page has been visible for `ms` milliseconds in a row.
 * @param key what the time belongs to: another one starts it again, and null stops it
 */
export function useVisibleTimer(key: string | number | null, ms: number, act: () => void): void {
  const hidden = useHidden();
  const onEnd = useEffectEvent(act);
  useEffect(() => {
    if (key === null || hidden) return undefined;
    const timer = setTimeout(() => onEnd(), ms);
    return () => clearTimeout(timer);
  }, [key, ms, hidden]);
}
