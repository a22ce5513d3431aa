import { useEffect, useEffectEvent, useRef } from 'react';
import { type Guard, guards } from '../../../base/web/guards.ts';
import { type Question, useConfirm } from '../feedback/confirm.tsx';

/** The question of forms (spec 4, Unsaved changes). */
export const UNSAVED: Question = {
  question: 'You have unsaved changes. Are you sure you want to leave?',
  verb: 'Leave',
  keep: 'Stay',
};

/**
 * While `dirty`, whoever leaves is asked: by a link or a button of ours, by 'back' (where the browser has the Navigation
 * API), by closing the page (in the browser's own words). What it answers lets go without a question: to be called
 * right before the screen itself leads on after it has saved.
 */
export function useUnsavedChanges(dirty: boolean, question: Question = UNSAVED): () => void {
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
    };
    guards.add(guard);
    const unload = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    const traverse = (event: NavigateEvent) => {
      if (!released.current) holdBack(event, guard);
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
  };
}

/** Holds a step back or forward in history until the question is answered, then takes it. */
function holdBack(event: NavigateEvent, guard: Guard): void {
  const samePage = new URL(event.destination.url).pathname === location.pathname;
  if (event.navigationType !== 'traverse' || !event.cancelable || samePage) return;
  event.preventDefault();
  const { key } = event.destination;
  void guard.ask().then((yes) => {
    if (!yes) return;
    guard.release();
    navigation.traverseTo(key);
  });
}
