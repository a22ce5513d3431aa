import { useEffect, useRef, useState } from 'react';
import { findWords, keepWords } from '../../../base/web/storage/words.ts';
import { type OutingWords, type WordsByPhoto, withWords } from '../../outing-words.ts';
import type { Outing } from '../../outings.ts';

/** The name under which the device keeps what was written about outings. */
const FORM = 'outings';

/** What this user has typed about outings: titles, categories and places. The device keeps it until the dates are added. */
export function useOutingDrafts(owner: string): {
  readonly words: WordsByPhoto;
  /** Replaces what was written about an outing; null takes it out. Resolves once the device has stored it. */
  readonly write: (outing: Outing, next: OutingWords | null) => Promise<void>;
} {
  const [words, setWords] = useState<WordsByPhoto>({});
  /** The words as of the last key press: several may come before the next render. */
  const latest = useRef(words);
  useEffect(() => {
    let isGone = false;
    void findWords<WordsByPhoto>(owner, FORM).then((kept) => {
      if (kept === null || isGone) return;
      // What was typed meanwhile stays.
      latest.current = { ...kept, ...latest.current };
      setWords(latest.current);
    });
    return () => {
      isGone = true;
    };
  }, [owner]);
  const write = (outing: Outing, next: OutingWords | null) => {
    const typed = withWords(latest.current, outing, next);
    latest.current = typed;
    setWords(typed);
    // Without storage they are on this page only.
    return keepWords({ owner, form: FORM, typed }).catch(() => undefined);
  };
  return { words, write };
}
