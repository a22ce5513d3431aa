import { useEffect, useState } from 'react';
import { cleanText } from '../../base/clean-text.ts';
import { withTimeout } from '../../base/web/storage/device-database.ts';
import { noteForm } from '../../base/web/storage/outbox-database.ts';
import { changeWords, dropWords, findWords, keepWords } from '../../base/web/storage/words.ts';

/** What a user has typed into a note that is not sealed yet, or not with these words. */
export interface NoteDraft {
  readonly text: string;
  readonly hearts: number | null;
}

/** A user's draft of a note. */
export interface StoredDraft {
  /** Null if nothing was typed. */
  readonly draft: NoteDraft | null;
  readonly keep: (draft: NoteDraft) => void;
  readonly drop: () => void;
}

/**
 * A user's draft of the note about a date. It outlives the page, the browser and an expired session on this device, and
 * is never sent before the user seals it. Of two windows, the last one wins.
 * @returns undefined until it is read. A database that does not open in time counts as empty
 */
export function useNoteDraft(owner: string, dateId: string): StoredDraft | undefined {
  const form = noteForm('sealed', dateId);
  const [draft, setDraft] = useState<NoteDraft | null>();
  useEffect(() => {
    let isCurrent = true;
    void withTimeout(findWords<NoteDraft>(owner, form)).then((found) => {
      if (isCurrent) setDraft(found ?? null);
    });
    return () => {
      isCurrent = false;
    };
  }, [owner, form]);
  if (draft === undefined) return undefined;
  return {
    draft,
    keep: (next) => {
      setDraft(next);
      const isEmpty = cleanText(next.text) === '' && next.hearts === null;
      const keeping = isEmpty ? dropWords(owner, form) : keepWords({ owner, form, typed: next });
      keeping.catch(() => undefined);
    },
    drop: () => {
      setDraft(null);
      // Another window may have typed since.
      const dropSame = (now: NoteDraft) => (now.text === draft?.text ? null : now);
      changeWords<NoteDraft>(owner, form, dropSame).catch(() => undefined);
    },
  };
}
