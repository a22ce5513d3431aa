import { useStore } from '../state/use-store.ts';
import { installOffer } from './install-offer.ts';
import { isForHomeScreen } from './is-for-home-screen.ts';

/** Whether the app can be installed and isn't yet: by the browser's prompt, or by hand on an iPhone or iPad. */
export function useCanInstall(): boolean {
  return useStore(installOffer) !== null || isForHomeScreen();
}
