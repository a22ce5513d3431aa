import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { countText } from '../../base/clean-text.ts';
import { counter } from '../../base/web/forms/counter.ts';
import { useStore } from '../../base/web/state/use-store.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { OPTIONAL_TEXTS } from '../../dates/optional-texts.ts';
import { showDate } from '../../dates/web/queries.ts';
import { NoteSaver, type NoteState } from './note-saver.ts';

/** What is said of the note's state. Typing is not announced. */
export const NOTE_STATE_TEXTS: Readonly<Record<NoteState, string>> = {
  saved: 'Saved',
  typing: '',
  waiting: 'Waits on this device until we can reach our album',
  tooLong: 'Not saved yet',
  refused: 'Not saved: our date has ended. The words stay on this device.',
};

/** The note of a date as a text field that saves itself. */
export interface NoteField {
  readonly saver: NoteSaver;
  readonly text: string;
  readonly state: NoteState;
  readonly error: string | null;
  readonly counter: string;
  readonly isTooLong: boolean;
  readonly type: (text: string) => void;
  /** Saves now. Resolves to whether everything is saved. */
  readonly flush: () => Promise<boolean>;
  /** Drops what is not saved. */
  readonly discard: () => void;
}

export function useNote(date: PlannedDate): NoteField {
  const owner = useUser().id;
  const queryClient = useQueryClient();
  const [saver] = useState(
    () =>
      new NoteSaver({
        owner,
        date,
        onSaved: ({ entity, etag }) => showDate(queryClient, entity, etag),
      }),
  );
  const { text, state } = useStore(saver.note);
  useEffect(() => {
    void saver.restore();
    const save = () => void saver.flush();
    // A phone may close a hidden page at any time.
    document.addEventListener('visibilitychange', save);
    return () => {
      document.removeEventListener('visibilitychange', save);
      saver.leave();
    };
  }, [saver]);
  useEffect(() => saver.update(date), [saver, date]);
  const length = countText(text);
  const { counter: count, over } = counter(length, OPTIONAL_TEXTS.notes.max);
  return {
    saver,
    text,
    state,
    error: over ? `Notes cannot exceed ${OPTIONAL_TEXTS.notes.max} characters` : null,
    counter: count,
    isTooLong: over,
    type: (next) => saver.type(next),
    flush: () => saver.flush(),
    discard: () => saver.discard(),
  };
}
