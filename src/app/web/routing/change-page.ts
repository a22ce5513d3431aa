import { mayLeave } from '../../../base/web/guards.ts';
import { screenAt } from './routes.tsx';

/** A page that takes longer than this to come shows its absence; until then the old one stays, and nothing flashes. */
const STAY_MS = 150;

type Navigate<O> = (to: string, options?: O) => void;

/**
 * How one page gives way to the next: after whatever holds it has been asked, and when the next one's code is here.
 * For wouter's `aroundNav`.
 */
export function turnPage<O>(navigate: Navigate<O>, to: string, options?: O): void {
  const { pathname, href } = new URL(to, location.href);
  const go = () => navigate(to, options);
  if (pathname === location.pathname) {
    go();
    return;
  }
  const may = mayLeave();
  if (may === true) fetchThen(pathname, href, go);
  else void may.then((yes) => yes && fetchThen(pathname, href, go));
}

function fetchThen(pathname: string, href: string, go: () => void): void {
  const screen = screenAt(pathname);
  if (!screen || screen.page) {
    go();
    return;
  }
  const wait = new Promise<void>((resolve) => setTimeout(resolve, STAY_MS));
  // Code that can no longer be fetched is that of an older version: the address, loaded anew, brings the present one.
  // Offline there is nothing to be brought, and the screen says so.
  Promise.race([screen.load(), wait]).then(go, () => (navigator.onLine ? location.assign(href) : go()));
}

/** Fetches a page's code when its link is pointed at, touched or focused: by the time it is pressed, it is here. */
export function fetchAhead(): void {
  const ahead = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin) return;
    screenAt(link.pathname)
      ?.load()
      .catch(() => undefined);
  };
  for (const type of ['pointerenter', 'focusin', 'touchstart']) {
    document.addEventListener(type, ahead, { capture: true, passive: true });
  }
}
