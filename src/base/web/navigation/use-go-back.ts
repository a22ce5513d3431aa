import { useLocation } from 'wouter';

/**
 * Returns a function that goes back within the app's history, or to `instead` if there is none: in a new tab, or right
 * after signing in (dates.plan.8). Guards apply in both cases.
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
  const url = previousUrl();
  return url !== null && !/^\/(login|auth)(\/|$)/i.test(new URL(url).pathname);
}

function previousUrl(): string | null {
  if ('navigation' in globalThis) {
    const { currentEntry } = navigation;
    return (currentEntry && navigation.entries()[currentEntry.index - 1]?.url) ?? null;
  }
  // Without the Navigation API only the address that this document was loaded from is known.
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded && new URL(loaded.name).pathname !== location.pathname ? loaded.name : null;
}
