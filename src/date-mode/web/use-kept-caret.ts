import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { movedCaret } from '../note-merge.ts';
import type { NoteField } from './use-note.ts';

/** Keeps the caret between the same words when the partner's words arrive in the field. */
export function useKeptCaret(ref: RefObject<HTMLTextAreaElement | null>, { saver, text }: NoteField): void {
  const before = useRef<{ readonly text: string; readonly caret: number } | null>(null);
  useEffect(
    () =>
      saver.note.subscribe(() => {
        const field = ref.current;
        // What is typed is in the field already.
        if (field === null || document.activeElement !== field || field.value === saver.note.get().text) return;
        before.current = { text: field.value, caret: field.selectionEnd };
      }),
    [ref, saver],
  );
  useLayoutEffect(() => {
    if (ref.current === null || before.current === null) return;
    const caret = movedCaret(before.current.text, text, before.current.caret);
    before.current = null;
    ref.current.setSelectionRange(caret, caret);
  }, [ref, text]);
}
