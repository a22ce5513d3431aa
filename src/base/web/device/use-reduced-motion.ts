import { browserState } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

const preference = matchMedia('(prefers-reduced-motion: reduce)');
const reducedMotion = browserState(preference, ['change'], () => preference.matches);

/** Whether the user wants less motion on this device. */
export function useReducedMotion(): boolean {
  return useStore(reducedMotion);
}
