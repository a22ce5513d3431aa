import { useSyncExternalStore } from 'react';
import type { Readable } from './store.ts';

/** The value of a store. The component renders again when it changes. */
export function useStore<T>({ subscribe, get }: Readable<T>): T {
  return useSyncExternalStore(subscribe, get, get);
}
