import { paths } from '../../../paths.ts';
import { endSession, LOGOUT_MS } from './end-session.ts';
import { setPendingEnding, setSignOutCookie } from './ending.ts';
import { logOut } from './log-out.ts';

/**
 * Signs this device out of a suspended space. What it has not sent yet can't be sent now, so it stays until its user signs
 * in again.
 */
export async function signOutOfSuspended(): Promise<void> {
  // A page of a suspended space gets no token to log out with. With this cookie, asking for one ends the session.
  setSignOutCookie(true);
  await logOut(AbortSignal.timeout(LOGOUT_MS));
  setPendingEnding('ended');
  await endSession('ended', paths.login, () => setPendingEnding(null));
}
