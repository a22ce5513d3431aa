import { useStore } from '../state/use-store.ts';
import { canOnlyInstallByHand } from './can-only-install-by-hand.ts';
import { installOffer } from './install-offer.ts';

/** Whether the app can be installed and isn't yet: by the browser's prompt, or by hand on an iPhone or iPad. */
export function useCanInstall(): boolean {
  return useStore(installOffer) !== null || canOnlyInstallByHand();
}
