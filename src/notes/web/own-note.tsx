import { useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import type { Note, NotesOfDate } from '../contract.ts';
import { Letter } from './letter.tsx';
import type { NoteDraft } from './note-draft.ts';
import { NoteForm } from './note-form.tsx';
import { useSealNote, useTakeBack } from './queries.ts';
import css from './two-notes.module.css';

const EMPTY: NoteDraft = { text: '', hearts: null };

export interface OwnNoteProps {
  readonly dateId: string;
  readonly notes: NotesOfDate;
  readonly draft: NoteDraft | null;
  readonly keepDraft: (draft: NoteDraft) => void;
  readonly dropDraft: () => void;
  /** Whether the draft has words that the sealed note does not have. */
  readonly isTyping: boolean;
  /** Called with true for each change in the form, with false when the form is left. */
  readonly onTyping: (isTyping: boolean) => void;
  readonly onDone: () => void;
  /** Called with the time at which taking the note back failed. Infinity: it has not. */
  readonly onFailed: (at: number) => void;
}

/**
 * The user's own note: its form, or the sealed letter. The form stays while it is typed into, even if both notes have been
 * opened meanwhile.
 */
export function OwnNote(props: OwnNoteProps) {
  const { dateId, notes, draft, keepDraft, dropDraft, isTyping, onTyping, onDone, onFailed } = props;
  const { displayName, partner } = useUser();
  const { mine, revealed } = notes;
  const [isChanging, setChanging] = useState(mine !== null && draft !== null);
  const seal = useSealNote(dateId, partner?.id ?? null);
  const takingBack = useTakingBack({ dateId, keepDraft, onDone, onFailed });
  const notify = useNotify();
  const done = () => {
    setChanging(false);
    onTyping(false);
    dropDraft();
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
  const keepWords = () => {
    onTyping(false);
    onDone();
    return Promise.resolve();
  };
  if (mine === null || isChanging || isTyping) {
    return (
      <NoteForm
        initial={draft ?? mine ?? EMPTY}
        {...textsOf(partner !== null, notes)}
        onType={(next) => {
          onTyping(true);
          keepDraft(next);
        }}
        onSeal={revealed ? keepWords : sealNote}
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

type TakingBackProps = Pick<OwnNoteProps, 'dateId' | 'keepDraft' | 'onDone' | 'onFailed'>;

/** Takes the sealed note back. Its words are not lost: the form starts with them. */
function useTakingBack({ dateId, keepDraft, onDone, onFailed }: TakingBackProps) {
  const takeBack = useTakeBack(dateId, useUser().partner?.id ?? null);
  const notify = useNotify();
  const take = ({ text, hearts }: Note) => {
    onFailed(Number.POSITIVE_INFINITY);
    keepDraft({ text, hearts });
    takeBack.mutate(undefined, {
      onSuccess: () => {
        notify.status('You took your note back');
        onDone();
      },
      onError: (error) => {
        // The words stay a draft until the server is known to have them still.
        onFailed(Date.now());
        notify.alert(asApiError(error).serverMessage ?? 'Failed to take your note back. Please try again.');
      },
    });
  };
  return { take, isPending: takeBack.isPending };
}

/** What the form's button does. */
function textsOf(hasPartner: boolean, { theirsWritten, revealed }: NotesOfDate): { verb: string; hint: string } {
  if (revealed) return { verb: 'Keep these words', hint: 'Both notes are open now, so this can’t be in yours anymore' };
  if (!hasPartner) return { verb: 'Keep my note', hint: 'It can’t be changed after that' };
  if (theirsWritten) return { verb: 'Open both notes', hint: 'Neither can be changed after that' };
  return { verb: 'Seal my note', hint: 'Sealed until we have both written' };
}
