import { useSyncExternalStore } from 'react';
import { isOffered, onOffer } from './install-offer.ts';

/** Returns whether the app can be installed and isn't yet. */
export function useCanInstall(): boolean {
  return useSyncExternalStore(onOffer, isOffered, () => false);
}
