import { useEffect, useRef } from 'react';

/** How long to wait for the heading of a page that is still loading. */
const TIMEOUT_MS = 5000;

/**
 * Sets the title, scrolls to the top, and focuses the heading when the page changes (screens.navigation.3). Does not scroll
 * or focus on the first page after a load, nor scrolls after a step in history, whose position is restored.
 * @param pathname the current path, or null during a redirect
 */
export function usePageChange(pathname: string | null, title: string): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (pathname === null) return undefined;
    const before = last.current;
    last.current = pathname;
    if (before === null || before === pathname) return undefined;
    if (!isBackOrForward) window.scrollTo(0, 0);
    return focusHeading();
  }, [pathname]);
}

let isBackOrForward = false;
window.addEventListener('popstate', () => {
  isBackOrForward = true;
});
// The router dispatches this event when it pushes an entry.
window.addEventListener('pushState', () => {
  isBackOrForward = false;
});

/**
 * Focuses the page's h1 once it is rendered, and the h1 that replaces it when the page is loaded. The waiting ends after
 * `TIMEOUT_MS`, or if the user moves the focus. Returns a function that ends it.
 */
function focusHeading(): () => void {
  const from = document.activeElement;
  let focused: HTMLElement | null = null;
  const focusNewHeading = () => {
    const active = document.activeElement;
    if (active !== from && active !== document.body && active !== focused) return stop();
    if (focused?.isConnected) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    focused = heading;
  };
  const observer = new MutationObserver(focusNewHeading);
  const timer = setTimeout(() => stop(), TIMEOUT_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  focusNewHeading();
  return stop;
}
