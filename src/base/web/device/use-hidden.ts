import { browserState } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

const hidden = browserState(document, ['visibilitychange'], () => document.hidden);

/** Whether the page is hidden: by another tab or app, or a locked phone. */
export function useHidden(): boolean {
  return useStore(hidden);
}
