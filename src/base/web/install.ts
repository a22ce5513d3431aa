import { useSyncExternalStore } from 'react';
import { isOffered, onOffer } from './install-offer.ts';

/** Whether the app can be installed here, and is not yet (spec 4, Install prompt). */
export function useCanInstall(): boolean {
  return useSyncExternalStore(onOffer, isOffered, () => false);
}
