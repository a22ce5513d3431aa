import { isGuardEntry, leaveBy } from '../../../base/web/navigation/guards.ts';
import { screenAt } from './routes.ts';

/** How long the old screen stays while the next one loads, so that a loading state does not flash briefly. */
const KEEP_SCREEN_MS = 150;

type Navigate<O> = (to: string, options?: O | { replace: true }) => void;

/**
 * Changes to another screen, once the guards for unsaved work allow it and the screen's code is loaded. For wouter's
 * `aroundNav`.
 */
export function changeScreenOnceLoaded<O>(navigate: Navigate<O>, to: string, options?: O): void {
  const { pathname, href } = new URL(to, location.href);
  const go = () => navigate(to, isGuardEntry() ? { replace: true } : options);
  if (pathname === location.pathname) {
    go();
    return;
  }
  leaveBy(() => loadThenGo(pathname, href, go));
}

function loadThenGo(pathname: string, href: string, go: () => void): void {
  const screen = screenAt(pathname);
  if (!screen || screen.page) {
    go();
    return;
  }
  const wait = new Promise<void>((resolve) => setTimeout(resolve, KEEP_SCREEN_MS));
  // If the code cannot load, a newer version has usually replaced it, so the browser loads the whole page. Offline that
  // would fail too, so the screen shows its error instead.
  Promise.race([screen.load(), wait]).then(go, () => (navigator.onLine ? location.assign(href) : go()));
}

/** Loads a screen's code as soon as a link to it is hovered, touched, or focused. */
export function prefetchLinkedScreens(): void {
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin) return;
    void screenAt(link.pathname)?.load();
  };
  for (const type of ['pointerenter', 'focusin', 'touchstart']) {
    document.addEventListener(type, prefetch, { capture: true, passive: true });
  }
}
