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

/** Listens for the browser's offer: it is made once and early, and the page that asks for it comes later. */
export function awaitOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    become(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => become(null));
}

/** Whether the browser offers to install the app, and it is not yet. */
export function isOffered(): boolean {
  return offered !== null;
}

/** Hears when that changes; answers how to stop. */
export function onOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
