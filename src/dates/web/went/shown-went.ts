import { useSyncExternalStore } from 'react';
import type { CompletedWent } from './completed-went.ts';
import { TimesChange } from './times-change.ts';

/** The date, and the change of its times while the dialog 'When were we out?' is open instead of the message. */
interface Shown {
  readonly went: CompletedWent;
  readonly change: TimesChange | null;
}

let shown: Shown | null = null;
const listeners = new Set<() => void>();

/** Shows the message of a date. */
export function showWent(went: CompletedWent): void {
  set({ went, change: null });
}

/** Takes a date back, and opens its dialog. */
export function changeTimes(went: CompletedWent): void {
  set({ went, change: new TimesChange(went) });
}

/** Hides the message or the dialog of a date, unless another date has taken its place. */
export function hideWent(went: CompletedWent): void {
  if (shown?.went === went) set(null);
}

function set(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is shown, or null. */
export function useShownWent(): Shown | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}
