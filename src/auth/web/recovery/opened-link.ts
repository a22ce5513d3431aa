import { paths } from '../../../paths.ts';

/** A link with a one-time code: an invitation, or a link for a new password. */
export interface CodeLink {
  readonly kind: 'invitation' | 'recovery';
  readonly path: string;
}

/** Set once the link's own page was shown, which a signed-in user never sees. */
let wasShown = false;

/** Records that the page of the link is shown, so that the user needs no notice after signing in. */
export function markLinkShown(): void {
  wasShown = true;
}

/**
 * The link that a signed-in user opened this page with, or null. The redirect has taken the code out of the address, and
 * it is stored nowhere: the browser knows with which address it opened the page, until the page is left.
 */
export function unusedLink(): CodeLink | null {
  const [opened] = performance.getEntriesByType('navigation');
  if (wasShown || !opened || !URL.canParse(opened.name)) return null;
  const { pathname } = new URL(opened.name);
  const startsLike = (path: string) => pathname.toLowerCase().startsWith(path);
  if (startsLike(paths.join(''))) return { kind: 'invitation', path: pathname };
  return startsLike(paths.recover('')) ? { kind: 'recovery', path: pathname } : null;
}
