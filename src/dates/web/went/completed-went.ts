import type { PlannedDate } from '../../contract.ts';

/** The times at which a date really began and ended, as far as they are given. */
export interface WentTimes {
  readonly actualStartTime?: string;
  readonly actualEndTime?: string;
}

/** A date just completed by 'We went!', for the message with 'Undo'. It outlives a change from the list to the details. */
export interface CompletedWent {
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
  readonly complete: (times: WentTimes) => Promise<void>;
}
