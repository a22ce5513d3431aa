import { useEffect } from 'react';

/**
 * Keeps the screen awake while the component is shown, where the browser can. The browser releases the lock when the page
 * is hidden, so it is requested again when the page is shown.
 */
export function useWakeLock(): void {
  useEffect(() => {
    // Missing on pages without HTTPS, and in some browsers.
    const wakeLock = (navigator as { wakeLock?: WakeLock }).wakeLock;
    if (!wakeLock) return undefined;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const request = async () => {
      if (document.hidden || isOver || (lock !== null && !lock.released)) return;
      // It is refused while the battery is low, for instance.
      const granted = await wakeLock.request('screen').catch(() => null);
      if (isOver) void granted?.release();
      else lock = granted;
    };
    const onVisibility = () => void request();
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisibility);
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
