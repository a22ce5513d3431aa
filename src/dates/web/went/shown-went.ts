import { createStore } from '../../../base/web/state/store.ts';
import { useStore } from '../../../base/web/state/use-store.ts';
import type { CompletedWent } from './completed-went.ts';
import { TimesChange } from './times-change.ts';

/** The date, and the change of its times while the dialog 'When were we out?' is open instead of the message. */
interface Shown {
  readonly went: CompletedWent;
  readonly change: TimesChange | null;
}

const shownWent = createStore<Shown | null>(null);

/** Shows the message of a date. */
export function showWent(went: CompletedWent): void {
  shownWent.set({ went, change: null });
}

/** Takes a date back, and opens its dialog. */
export function changeTimes(went: CompletedWent): void {
  shownWent.set({ went, change: new TimesChange(went) });
}

/** Hides the message or the dialog of a date, unless another date has taken its place. */
export function hideWent(went: CompletedWent): void {
  if (shownWent.get()?.went === went) shownWent.set(null);
}

/** What is shown, or null. */
export function useShownWent(): Shown | null {
  return useStore(shownWent);
}
