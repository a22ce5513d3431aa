import { useEffect, useEffectEvent, useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { Note, NotesOfDate } from '../contract.ts';
import type { NoteDraft, StoredDraft } from './note-draft.ts';
import { useTakeBack } from './queries.ts';

export interface TakingBackOptions {
  readonly dateId: string;
  readonly notes: NotesOfDate;
  /** When the notes were fetched, in milliseconds. */
  readonly fetchedAt: number;
  readonly stored: StoredDraft;
  /** Called when the note has been taken back. */
  readonly onTaken: () => void;
}

export interface TakingBack {
  readonly take: (note: Note) => void;
  readonly isPending: boolean;
}

/**
 * Takes the user's sealed note back. Its words become a draft first, with which the form starts. If the answer is lost,
 * they stay one until the server is known to have the note still.
 */
export function useTakingBack({ dateId, notes, fetchedAt, stored, onTaken }: TakingBackOptions): TakingBack {
  const takeBack = useTakeBack(dateId, useUser().partner?.id ?? null);
  const notify = useNotify();
  const [failedAt, setFailedAt] = useState<number | null>(null);
  const isFetchedSince = failedAt !== null && fetchedAt > failedAt;
  const isStillThere = isSame(stored.draft, notes.mine) && (notes.revealed || isFetchedSince);
  const dropDraft = useEffectEvent(() => stored.drop());
  useEffect(() => {
    if (isStillThere) dropDraft();
  }, [isStillThere]);
  const take = ({ text, hearts }: Note) => {
    setFailedAt(null);
    stored.keep({ text, hearts });
    takeBack.mutate(undefined, {
      onSuccess: () => {
        notify.status('You took your note back');
        onTaken();
      },
      onError: (error) => {
        setFailedAt(Date.now());
        notify.alert(asApiError(error).serverMessage ?? 'Failed to take your note back. Please try again.');
      },
    });
  };
  return { take, isPending: takeBack.isPending };
}

/** Whether there are a draft and a note, and both say the same. */
function isSame(draft: NoteDraft | null, note: NoteDraft | null): boolean {
  return draft !== null && note !== null && draft.text === note.text && draft.hearts === note.hearts;
}
