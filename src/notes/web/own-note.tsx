import { useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import type { NotesOfDate } from '../contract.ts';
import { Letter } from './letter.tsx';
import type { NoteDraft, StoredDraft } from './note-draft.ts';
import { NoteForm } from './note-form.tsx';
import { useSealNote } from './queries.ts';
import css from './two-notes.module.css';
import type { TakingBack } from './use-taking-back.ts';

const EMPTY: NoteDraft = { text: '', hearts: null };

export interface OwnNoteProps {
  readonly dateId: string;
  readonly notes: NotesOfDate;
  readonly stored: StoredDraft;
  /** Whether the draft has words that the sealed note does not have. */
  readonly hasUnsealedWords: boolean;
  readonly takingBack: TakingBack;
  /** Called with true for each change in the form, with false when the form is left. */
  readonly onTyping: (isTyping: boolean) => void;
  /** Called when the form has been left, to place the focus. */
  readonly onDone: () => void;
}

/**
 * The user's own note: its form, or the sealed letter. The form stays while it is typed into, even if both notes have been
 * opened meanwhile.
 */
export function OwnNote(props: OwnNoteProps) {
  const { dateId, notes, stored, hasUnsealedWords, takingBack, onTyping, onDone } = props;
  const { displayName, partner } = useUser();
  const { mine, revealed } = notes;
  const { draft } = stored;
  const [isChanging, setChanging] = useState(mine !== null && draft !== null);
  const seal = useSealNote(dateId, partner?.id ?? null);
  const notify = useNotify();
  const done = () => {
    setChanging(false);
    onTyping(false);
    stored.drop();
    onDone();
  };
  const sealNote = async (note: NoteDraft) => {
    const now = await seal(note).catch((error: unknown) => {
      // It was opened meanwhile.
      if (asApiError(error).status === 409) onTyping(false);
      throw error;
    });
    if (partner === null) notify.status('Your note is kept');
    else notify.status(now.revealed ? 'Both notes are open' : 'Your note is sealed');
    done();
  };
  /** Leaves the words where they are, beside the opened notes. */
  const closeForm = () => {
    onTyping(false);
    onDone();
    return Promise.resolve();
  };
  if (mine === null || isChanging || hasUnsealedWords) {
    return (
      <NoteForm
        initial={draft ?? mine ?? EMPTY}
        {...formTexts(partner !== null, notes)}
        onType={(next) => {
          onTyping(true);
          stored.keep(next);
        }}
        onSeal={revealed ? closeForm : sealNote}
        onCancel={mine && !revealed ? () => done() : null}
      />
    );
  }
  return (
    <>
      <Letter note={mine} name={displayName} />
      <Actions className={css.actions}>
        <Button onClick={() => setChanging(true)}>Change my note</Button>
        <Button variant="text" busy={takingBack.isPending} onClick={() => takingBack.take(mine)}>
          Take it back
        </Button>
      </Actions>
    </>
  );
}

/** What the form's button does. */
function formTexts(hasPartner: boolean, { theirsWritten, revealed }: NotesOfDate): { verb: string; hint: string } {
  if (revealed) return { verb: 'Keep these words', hint: 'Both notes are open now, so this can’t be in yours anymore' };
  if (!hasPartner) return { verb: 'Keep my note', hint: 'It can’t be changed after that' };
  if (theirsWritten) return { verb: 'Open both notes', hint: 'Neither can be changed after that' };
  return { verb: 'Seal my note', hint: 'Sealed until we have both written' };
}
