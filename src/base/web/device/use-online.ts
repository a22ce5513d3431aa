import { browserState } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

const online = browserState(window, ['online', 'offline'], () => navigator.onLine);

/** Whether the browser says that it is online. */
export function useOnline(): boolean {
  return useStore(online);
}
