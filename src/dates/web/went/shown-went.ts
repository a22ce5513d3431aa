import { useSyncExternalStore } from 'react';
import type { PlannedDate } from '../../contract.ts';

/** A date just completed by 'We went!', for the message with 'Undo'. It outlives a change from the list to the details. */
export interface ShownWent {
  readonly date: PlannedDate;
  /** When it was pressed, in milliseconds. */
  readonly at: number;
  /** It was pressed on the keyboard, so the message takes the focus: its button is gone, and ten seconds are short. */
  readonly takesFocus: boolean;
  /**
   * Takes it back. Resolves to false if the date was not completed at all, which is shown already. Rejects if the server
   * refuses or can't be reached.
   * @param newTimes whether it is completed again, with other times
   */
  readonly undo: (newTimes: boolean) => Promise<boolean>;
  /** Completes the date again, after an undo, with these times. Rejects with the server's refusal. */
  readonly complete: (times: { actualStartTime?: string; actualEndTime?: string }) => Promise<void>;
}

/** The date, and whether its message or its dialog 'When were we out?' is open. */
interface Shown {
  readonly went: ShownWent;
  readonly as: 'message' | 'dialog';
}

let shown: Shown | null = null;
const listeners = new Set<() => void>();

/** Shows the message of a date, or its dialog. */
export function showWent(went: ShownWent, as: Shown['as'] = 'message'): void {
  set({ went, as });
}

/** Hides the message or the dialog of a date, unless another date has taken its place. */
export function hideWent(went: ShownWent): void {
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
