import { paths } from '../../../paths.ts';

/** A link with a one-time code: an invitation, or a link for a new password. */
export interface CodeLink {
  readonly kind: 'invitation' | 'recovery';
  readonly path: string;
}

/** Set once the link's own page was shown, which a signed-in user never sees. */
let hasBeenShown = false;

/** Records that the page of the link is shown, so that the user needs no notice after signing in. */
export function markLinkShown(): void {
  hasBeenShown = true;
}

/** The path that this page was opened with. It is read before a redirect takes the code out of the address. */
const openedPath = location.pathname;

/** The link that a signed-in user opened this page with, or null. Its code is never stored. */
export function unusedLink(): CodeLink | null {
  if (hasBeenShown) return null;
  const isUnder = (path: string) => openedPath.toLowerCase().startsWith(path);
  if (isUnder(paths.join(''))) return { kind: 'invitation', path: openedPath };
  return isUnder(paths.recover('')) ? { kind: 'recovery', path: openedPath } : null;
}
