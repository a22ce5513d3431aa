import { type ReactNode, Suspense, startTransition, useEffect, useState } from 'react';
import { first } from './first.ts';

/** Whether what the server has drawn can be used by now. */
let alive = false;
const sleepers = new Set<() => void>();

/** What the server has drawn can be used now: its buttons are shown, and what it left out begins. */
export function wake(): void {
  if (alive) return;
  alive = true;
  delete document.documentElement.dataset.drawn;
  // In steps, between which the page scrolls and hears.
  startTransition(() => {
    for (const rise of sleepers) rise();
  });
}

/** Whether the page is alive: false on the server, and here until what was drawn there can be used. */
export function useAlive(): boolean {
  const [now, become] = useState(alive || first() === null);
  useEffect(() => {
    const rise = () => become(true);
    if (alive) rise();
    sleepers.add(rise);
    return () => void sleepers.delete(rise);
  }, []);
  return now;
}

/** Tells that the page stands which it is drawn in. */
export function Wake(): null {
  useEffect(wake, []);
  return null;
}

/** Whether this was drawn by the server, and came alive here. */
export function useDrawn(): boolean {
  return useState(!useAlive())[0];
}

/** What the first page comes alive without. */
export function Late({ children }: { children: ReactNode }) {
  return useAlive() && <Suspense>{children}</Suspense>;
}
