import { paths } from '../../../paths.ts';

/** The parts of an address that decide about a redirect. */
export interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * Returns the path to redirect to, or null if the requested screen may be shown.
 * @param known whether there is a screen at that path
 */
export function redirectFor(signedIn: boolean, { pathname, search, hash }: Address, known: boolean): string | null {
  const path = pathname.toLowerCase();
  const isAuth = isAuthPath(path);
  if (signedIn) {
    if (isAuth) return pathAfterSignIn(path, search);
    return known ? null : paths.home;
  }
  // Keeps the whole query, which contains the return URL.
  if (path === paths.login) return paths.signIn + search;
  if (isAuth) return known ? null : paths.signIn;
  // For a visitor too, an empty or unknown path means the dashboard.
  const attempted = known ? pathname + search + hash : paths.home;
  return `${paths.login}?returnUrl=${encodeURIComponent(attempted)}`;
}

/** Whether a path in lower case is a page for signing in or registering. */
function isAuthPath(path: string): boolean {
  return path === paths.login || path === '/auth' || path.startsWith('/auth/');
}

/** The path after signing in: the return URL on the sign-in page, else the dashboard. */
function pathAfterSignIn(path: string, search: string): string {
  if (path !== paths.login && path !== paths.signIn) return paths.home;
  return ownPath(new URLSearchParams(search).get('returnUrl')) ?? paths.home;
}

const BASE = 'https://base.invalid';

/** Returns a path of this app, or null for others, such as `//evil.example` and `/\evil.example` (accounts.signin.5). */
export function ownPath(returnUrl: string | null): string | null {
  if (!returnUrl?.startsWith('/')) return null;
  let url: URL;
  try {
    url = new URL(returnUrl, BASE);
  } catch {
    return null;
  }
  // Like browsers, `URL` treats backslashes as slashes and drops tabs and line breaks.
  if (url.origin !== BASE || url.pathname.startsWith('//')) return null;
  if (isAuthPath(url.pathname.toLowerCase())) return null;
  return url.pathname + url.search + url.hash;
}
