/** The forms that are open in this tab, and those that were. */
const openHere = new Set<string>();
const closedHere = new Set<string>();

/** Plain HTTP has none. */
const locks = () => navigator.locks as LockManager | undefined;

/**
 * Marks a form as open, in all tabs: only its window changes what it has stored. A tab that is closed ends it too.
 * @param name an id that no form had before
 * @returns a function that ends it
 */
export function openForm(name: string): () => void {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const hold = () => {
    locks()
      ?.request(name, () => closed)
      .catch(() => undefined);
  };
  // Browsers may freeze a page that is left, for the way back. WebKit ends its locks.
  const onShown = ({ persisted }: PageTransitionEvent) => persisted && hold();
  openHere.add(name);
  hold();
  addEventListener('pageshow', onShown);
  return () => {
    removeEventListener('pageshow', onShown);
    openHere.delete(name);
    closedHere.add(name);
    close();
  };
}

/**
 * Works on what a form has stored, unless the form is open.
 * @param guess what a form of another tab is without Web Locks
 */
export async function withClosedForm(name: string, guess: 'open' | 'closed', work: () => Promise<void>): Promise<void> {
  if (openHere.has(name)) return;
  const manager = locks();
  if (manager) await manager.request(name, { ifAvailable: true }, (lock) => lock && work());
  else if (guess === 'closed' || closedHere.has(name)) await work();
}
