import type { Versioned } from '../../../kit/web/forms/use-versioned-edit.ts';
import type { PlannedDate } from '../../contract.ts';

/** A date just completed by 'We went!', for the message with 'Undo'. It outlives a change from the list to the details. */
export interface CompletedWent {
  readonly date: PlannedDate;
  /** When it was pressed, in milliseconds. */
  readonly at: number;
  /** It was pressed on the keyboard, so the message takes the focus: its button is gone, and ten seconds are short. */
  readonly takesFocus: boolean;
  /** The date as the server has completed it; null if it has not, which is shown already. */
  readonly saved: Promise<Versioned<PlannedDate> | null>;
  /**
   * Takes it back. Resolves to false if the date was not completed at all. Rejects if the server refuses or can't be
   * reached.
   */
  readonly undo: () => Promise<boolean>;
}
