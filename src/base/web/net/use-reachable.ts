import { useStore } from '../state/use-store.ts';
import { online, reachable } from './reachable.ts';

/** Whether the server can be reached, as far as this page knows. Until then, screens show what was last seen. */
export function useReachable(): boolean {
  return useStore(reachable);
}

/** Whether the browser says that it is online. */
export function useOnline(): boolean {
  return useStore(online);
}
