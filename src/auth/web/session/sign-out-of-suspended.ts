import { paths } from '../../../paths.ts';
import { endServerSession } from './end-server-session.ts';
import { endSession, SIGN_OUT_MS } from './end-session.ts';
import { setPendingEnding, setSignOutCookie } from './pending-ending.ts';

/**
 * Signs this device out of a suspended space. What it has not sent yet can't be sent now, so it stays until its user signs
 * in again.
 */
export async function signOutOfSuspended(): Promise<void> {
  // A page of a suspended space gets no token to end the session with. With this cookie, asking for one ends the session.
  setSignOutCookie(true);
  await endServerSession(AbortSignal.timeout(SIGN_OUT_MS));
  setPendingEnding('ended');
  await endSession('ended', paths.login, () => setPendingEnding(null));
}
