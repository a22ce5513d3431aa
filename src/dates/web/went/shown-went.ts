import { createStore } from '../../../base/web/state/store.ts';
import { useStore } from '../../../base/web/state/use-store.ts';
import type { CompletedWent } from './completed-went.ts';

/** The date, and whether the dialog 'When were we out?' is open instead of the message. */
interface Shown {
  readonly went: CompletedWent;
  readonly isChanging: boolean;
}

const shownWent = createStore<Shown | null>(null);

/** Shows the message of a date. */
export function showWent(went: CompletedWent): void {
  shownWent.set({ went, isChanging: false });
}

/** Opens the dialog for the times of a date. */
export function showWentTimes(went: CompletedWent): void {
  shownWent.set({ went, isChanging: true });
}

/** Hides the message or the dialog of a date, unless another date has taken its place. */
export function hideWent(went: CompletedWent): void {
  if (shownWent.get()?.went === went) shownWent.set(null);
}

/** What is shown, or null. */
export function useShownWent(): Shown | null {
  return useStore(shownWent);
}
