import { createStore } from '../state/store.ts';

/** The `beforeinstallprompt` event, which has no standard type. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's offer to install the app, or null. */
export const installOffer = createStore<InstallEvent | null>(null);

/** Captures the browser's install event, which fires once and before the install button exists. */
export function awaitOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.set(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => installOffer.set(null));
}
