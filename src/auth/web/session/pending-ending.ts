import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { SIGN_OUT_PENDING_COOKIE } from '../../sign-out-cookie.ts';

/**
 * Why the session of this device has ended: a user has signed out, or it has ended by itself, which keeps drafts and
 * unsent photographs for when the user signs in again.
 */
export type Ending = 'signed-out' | 'ended';

const YEAR_SECONDS = 31_536_000;

/**
 * The ending that is not complete yet: the device is not cleared, or the server has not confirmed that a user has signed
 * out. The next start completes it.
 */
export function pendingEnding(): Ending | null {
  const found = recall('leaving');
  if (found === null) return null;
  return found === 'ended' ? 'ended' : 'signed-out';
}

/** Records an ending; null once it is complete. */
export function setPendingEnding(ending: Ending | null): void {
  remember('leaving', ending);
  setSignOutCookie(ending === 'signed-out');
}

/** Scripts can't clear the session cookie. With this cookie, the next sign-in ends the session before. */
export function setSignOutCookie(isSignedOut: boolean): void {
  const age = isSignedOut ? YEAR_SECONDS : 0;
  document.cookie = `${SIGN_OUT_PENDING_COOKIE}=1; Path=/; SameSite=Strict; Max-Age=${age}`;
}
