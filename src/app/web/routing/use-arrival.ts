import { useEffect, useRef } from 'react';

/** How long the heading of a page that is still loading is waited for, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Arriving at another page: its title, the scroll at the top, the focus on its heading (spec 2; issue 5). The first page
 * after a load is left as the browser shows it; a step back in history keeps the scroll that the browser restores.
 */
export function useArrival(pathname: string | null, title: string): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // On the way to somewhere else.
    if (pathname === null) return undefined;
    const before = last.current;
    last.current = pathname;
    if (before === null || before === pathname) return undefined;
    if (!steppedInHistory()) window.scrollTo(0, 0);
    return focusHeading();
  }, [pathname]);
}

let stepped = false;
globalThis.window?.addEventListener('popstate', () => {
  stepped = true;
});
// The router tells of its own pushes by an event of this name.
globalThis.window?.addEventListener('pushState', () => {
  stepped = false;
});

function steppedInHistory(): boolean {
  return stepped;
}

/**
 * Focuses the page's h1 as soon as it is there, and the one that takes its place when what was loading has come, unless
 * the focus has gone somewhere by itself meanwhile.
 */
function focusHeading(): () => void {
  const from = document.activeElement;
  let focused: HTMLElement | null = null;
  const look = () => {
    const at = document.activeElement;
    if (at !== from && at !== document.body && at !== focused) return stop();
    if (focused?.isConnected) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    focused = heading;
  };
  const observer = new MutationObserver(look);
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}
