/** The `beforeinstallprompt` event, which has no standard type. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function setOffer(next: InstallEvent | null): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Captures the browser's install event, which fires once and before the install button exists. */
export function awaitOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setOffer(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => setOffer(null));
}

/** Returns whether the app can be installed now. */
export function isOffered(): boolean {
  return offered !== null;
}

/** Subscribes to changes. Returns a function that unsubscribes. */
export function onOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the browser's install prompt and waits for the decision. Errors are only logged. */
export async function install(): Promise<void> {
  try {
    await offered?.prompt();
    if ((await offered?.userChoice)?.outcome === 'accepted') setOffer(null);
  } catch (error) {
    console.warn('The app could not be installed.', error);
  }
}
