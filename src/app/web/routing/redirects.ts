import { isAuthPath, ownPath } from '../../../auth/own-path.ts';
import { paths } from '../../../paths.ts';

/** The parts of an address that decide about a redirect. */
export interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * Returns the path to redirect to, or null if the requested screen may be shown.
 * @param isKnown whether there is a screen at that path
 */
export function redirectFor(isSignedIn: boolean, { pathname, search, hash }: Address, isKnown: boolean): string | null {
  const path = pathname.toLowerCase();
  const isAuth = isAuthPath(path);
  if (isSignedIn) {
    // The way back from an OpenID provider, which goes on by itself.
    if (path === paths.oidc) return null;
    if (isAuth && !isForSignedInToo(path)) return pathAfterSignIn(path, search);
    return isKnown ? null : paths.home;
  }
  // Keeps the whole query, which contains the return URL.
  if (path === paths.login) return paths.signIn + search;
  if (isAuth) return isKnown ? null : paths.signIn;
  // For a visitor too, an empty or unknown path means the dashboard.
  // What another app has shared waits on the device instead.
  const shownHash = path === paths.addIdea ? '' : hash;
  const attempted = isKnown ? pathname + search + shownHash : paths.home;
  return `${paths.login}?returnUrl=${encodeURIComponent(attempted)}`;
}

/** Whether a path in lower case is an auth page for signed-in users too: to confirm an e-mail, or to stop a recovery. */
function isForSignedInToo(path: string): boolean {
  return [paths.confirmEmail(''), paths.stopRecovery('')].some((page) => path.startsWith(page));
}

/** The path after signing in: the return URL on the sign-in page, else the dashboard. */
function pathAfterSignIn(path: string, search: string): string {
  if (path !== paths.login && path !== paths.signIn) return paths.home;
  return ownPath(new URLSearchParams(search).get('returnUrl')) ?? paths.home;
}
