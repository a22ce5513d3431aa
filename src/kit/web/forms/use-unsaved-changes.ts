import { useEffect, useEffectEvent, useRef } from 'react';
import { addGuardEntry } from '../../../base/web/navigation/guard-history-entry.ts';
import { type Guard, guards } from '../../../base/web/navigation/guards.ts';
import { type Question, useConfirm } from '../feedback/confirm.tsx';
import { abandonDraft } from './use-draft.ts';

/** The question asked before leaving a form. */
export const UNSAVED_QUESTION: Question = {
  question: 'You have unsaved changes. Are you sure you want to leave?',
  verb: 'Leave',
  keep: 'Stay',
};

/**
 * Asks before the user leaves a form that is `dirty`: by a link or button, by going back, or by closing the page (with
 * the browser's own question). A step back is cancelled with the Navigation API, or caught by a guard entry.
 * @returns a function that lifts the guard; call it right before navigating after a save
 */
export function useUnsavedChanges(dirty: boolean, question: Question = UNSAVED_QUESTION): () => void {
  const confirm = useConfirm();
  const released = useRef(false);
  const ask = useEffectEvent(() => confirm(question));
  useEffect(() => {
    if (!dirty) return undefined;
    released.current = false;
    const guard: Guard = {
      ask: () => (released.current ? Promise.resolve(true) : ask()),
      release: () => {
        released.current = true;
        guards.delete(guard);
      },
      leave: () => {
        guard.release();
        abandonDraft();
      },
    };
    guards.add(guard);
    addGuardEntry();
    const unload = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    const traverse = (event: NavigateEvent) => {
      if (!released.current) askBeforeTraversal(event, guard);
    };
    window.addEventListener('beforeunload', unload);
    if ('navigation' in window) navigation.addEventListener('navigate', traverse);
    return () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', unload);
      if ('navigation' in window) navigation.removeEventListener('navigate', traverse);
    };
  }, [dirty]);
  return () => {
    released.current = true;
    guards.clear();
    abandonDraft();
  };
}

/** Cancels a step in the history, asks, and repeats the step if the answer is yes. */
function askBeforeTraversal(event: NavigateEvent, guard: Guard): void {
  const samePage = new URL(event.destination.url).pathname === location.pathname;
  if (event.navigationType !== 'traverse' || !event.cancelable || samePage) return;
  event.preventDefault();
  const { key } = event.destination;
  void guard.ask().then((yes) => {
    if (!yes) return;
    guard.leave();
    navigation.traverseTo(key);
  });
}
