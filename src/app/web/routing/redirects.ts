import { paths } from '../../../paths.ts';

/** The part of an address that decides where somebody is led. */
export interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * Where somebody is led instead of the screen asked for, or null where it may be shown (spec 2; contract 2, Pages).
 * `known` says whether there is a screen at that path.
 */
export function leadTo(signedIn: boolean, { pathname, search, hash }: Address, known: boolean): string | null {
  const path = pathname.toLowerCase();
  const outside = path === paths.login || path === '/auth' || path.startsWith('/auth/');
  if (signedIn) {
    if (outside) return entranceOf(path, search);
    return known ? null : paths.home;
  }
  // The whole query is handed on: the way back, and whatever came with it.
  if (path === paths.login) return paths.signIn + search;
  if (outside) return known ? null : paths.signIn;
  // An empty or unknown path means the dashboard, for a visitor as well.
  const attempted = known ? pathname + search + hash : paths.home;
  return `${paths.login}?returnUrl=${encodeURIComponent(attempted)}`;
}

/** Where whoever has signed in is led: back to where they wanted to go, from the other doors to the dashboard. */
function entranceOf(path: string, search: string): string {
  if (path !== paths.login && path !== paths.signIn) return paths.home;
  return ownPath(new URLSearchParams(search).get('returnUrl')) ?? paths.home;
}

const NOWHERE = 'https://nowhere.invalid';

/** A path of this app, or null: `//evil.example`, `https:…` and `/\evil.example` are none (contract 2). */
export function ownPath(returnUrl: string | null): string | null {
  if (!returnUrl?.startsWith('/')) return null;
  let url: URL;
  try {
    url = new URL(returnUrl, NOWHERE);
  } catch {
    return null;
  }
  // Read as a browser reads it: backslashes are slashes, tabs and line ends are not there.
  if (url.origin !== NOWHERE || url.pathname.startsWith('//')) return null;
  const path = url.pathname.toLowerCase();
  if (path === paths.login || path === '/auth' || path.startsWith('/auth/')) return null;
  return url.pathname + url.search + url.hash;
}
