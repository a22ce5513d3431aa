import { useEffect } from 'react';

/**
 * Keeps the screen awake while `isActive`, where the browser can. The browser releases the lock when the page is hidden,
 * so it is requested again when the page is shown.
 */
export function useWakeLock(isActive = true): void {
  useEffect(() => {
    // Missing on pages without HTTPS, and in some browsers.
    const wakeLock = (navigator as { wakeLock?: WakeLock }).wakeLock;
    if (!isActive || !wakeLock) return undefined;
    let lock: WakeLockSentinel | null = null;
    let hasEnded = false;
    const request = async () => {
      if (document.hidden || hasEnded || (lock !== null && !lock.released)) return;
      // It is refused while the battery is low, for instance.
      const granted = await wakeLock.request('screen').catch(() => null);
      if (hasEnded) void granted?.release();
      else lock = granted;
    };
    const onVisibility = () => void request();
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      hasEnded = true;
      document.removeEventListener('visibilitychange', onVisibility);
      void lock?.release().catch(() => undefined);
    };
  }, [isActive]);
}
