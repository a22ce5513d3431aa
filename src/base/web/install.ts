import { useSyncExternalStore } from 'react';

/** What browsers that can install the app tell the page; no standard types have it. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function become(next: InstallEvent | null): void {
  offered = next;
  for (const listener of listeners) listener();
}

// It is told once, early; the page that asks for it may come later.
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  become(event as InstallEvent);
});
window.addEventListener('appinstalled', () => become(null));

/** Whether the app can be installed here, and is not yet (spec 4, Install prompt). */
export function useCanInstall(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered !== null,
  );
}

/** Asks the browser to install; fulfilled when somebody has decided. A failure is only logged. */
export async function install(): Promise<void> {
  try {
    await offered?.prompt();
    if ((await offered?.userChoice)?.outcome === 'accepted') become(null);
  } catch (error) {
    console.warn('The app could not be installed.', error);
  }
}
