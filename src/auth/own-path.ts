import { paths } from '../paths.ts';

/** What this file uses of `URL`. Every runtime has it, but the types of pure files have nothing of a runtime. */
declare const URL: new (
  url: string,
  base: string,
) => { readonly origin: string; readonly pathname: string; readonly search: string; readonly hash: string };

/** Whether a path in lower case is a page for signing in or registering. */
export function isAuthPath(path: string): boolean {
  return path === paths.login || path === '/auth' || path.startsWith('/auth/');
}

const BASE = 'https://base.invalid';

/** Returns a path of this app, or null for others, such as `//evil.example` and `/\evil.example` (accounts.signin.5). */
export function ownPath(returnUrl: string | null): string | null {
  if (!returnUrl?.startsWith('/')) return null;
  let url: InstanceType<typeof URL>;
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
