import { useSyncExternalStore } from 'react';
import { isOffered, onOffer } from './install-offer.ts';

/** Returns whether the app can be installed and isn't yet (spec 4, Install prompt). */
export function useCanInstall(): boolean {
  return useSyncExternalStore(onOffer, isOffered, () => false);
}
