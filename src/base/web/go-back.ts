import { useLocation } from 'wouter';

/**
 * Returns a function that goes back within the app's history, or to `instead` if there is none: in a new tab, or right
 * after signing in (contract 5). Guards apply in both cases.
 */
export function useGoBack(instead: string): () => void {
  const [, navigate] = useLocation();
  return () => {
    if (hasPreviousScreen()) history.back();
    else navigate(instead);
  };
}

/** Returns whether the previous history entry is a screen of the app other than the sign-in. */
function hasPreviousScreen(): boolean {
  if (!('navigation' in globalThis)) return false;
  const { currentEntry } = navigation;
  const before = currentEntry && navigation.entries()[currentEntry.index - 1];
  if (!before?.url) return false;
  return !/^\/(login|auth)(\/|$)/i.test(new URL(before.url).pathname);
}
