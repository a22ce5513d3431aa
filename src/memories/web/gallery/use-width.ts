import { useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from '../../../base/web/hydration.tsx';

/**
 * The width of an element in whole pixels, known before the first paint; 0 until then.
 * @param guess the width that the server assumes
 */
export function useWidth<E extends HTMLElement>(guess: number) {
  const ref = useRef<E>(null);
  const hydrated = useHydrated();
  const [width, setWidth] = useState(hydrated ? 0 : guess);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
