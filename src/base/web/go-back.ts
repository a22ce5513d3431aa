import { useLocation } from 'wouter';

/**
 * One step back within the app's own history, or to `instead` where there is none: a page opened in a fresh tab, or
 * one that signing in led to (contract 5). Unsaved changes are asked about on both ways.
 */
export function useGoBack(instead: string): () => void {
  const [, navigate] = useLocation();
  return () => {
    if (hasOwnPast()) history.back();
    else navigate(instead);
  };
}

/** Whether the entry before this one is a page of ours, other than those of signing in. */
function hasOwnPast(): boolean {
  if (!('navigation' in globalThis)) return false;
  const { currentEntry } = navigation;
  const before = currentEntry && navigation.entries()[currentEntry.index - 1];
  if (!before?.url) return false;
  return !/^\/(login|auth)(\/|$)/i.test(new URL(before.url).pathname);
}
