import { isForHomeScreen } from './home-screen.ts';

/** The `beforeinstallprompt` event, which has no standard type. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

/** Replaces the browser's offer. */
export function setOffer(next: InstallEvent | null): void {
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

/** Returns the browser's offer, or null. */
export function currentOffer(): InstallEvent | null {
  return offered;
}

/** Returns whether the app can be installed now: by the browser's prompt, or by hand on an iPhone or iPad. */
export function isOffered(): boolean {
  return offered !== null || isForHomeScreen();
}

/** Subscribes to changes. Returns a function that unsubscribes. */
export function onOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
