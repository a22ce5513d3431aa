import { clearTabHistory } from '../../../base/web/navigation/clear-tab-history.ts';
import { releaseScreens } from '../../../base/web/navigation/guards.ts';
import { setToken } from '../../../base/web/net/access-token.ts';
import { forgetDevice } from '../../../base/web/storage/forget-device.ts';
import { endPageSession } from '../../../base/web/storage/page-session-end.ts';
import { paths } from '../../../paths.ts';
import { saveExpectedFarewell } from '../couple/farewell.ts';
import { endServerSession } from './end-server-session.ts';
import { type Ending, pendingEnding, setPendingEnding } from './pending-ending.ts';
import { session } from './session.ts';
import { sessionTabs } from './session-tabs.ts';

/** How long the server may take to end the session, in milliseconds. */
export const SIGN_OUT_MS = 60_000;

/**
 * Signs this device out: first on the server, so that the token and the cookie become invalid, then by clearing what the
 * device stores. If the server can't be reached, the device is cleared anyway, and the next start ends the session
 * (accounts.signout.1).
 * @param to the path that is opened then
 */
export async function signOut(to: string = paths.login): Promise<void> {
  setPendingEnding('signed-out');
  const isOver = await endServerSession(AbortSignal.timeout(SIGN_OUT_MS));
  sessionTabs.postMessage('out');
  await endSession('signed-out', to, () => isOver && setPendingEnding(null));
}

/**
 * Ends a session that is over on the server, or that belongs to another user by now: goes to the sign-in page, which
 * returns to this page later (screens.forms.7).
 */
export function dropSession(): void {
  // Whatever happens while the user signs out, nothing is kept.
  if (pendingEnding() === 'signed-out') return;
  setPendingEnding('ended');
  const here = location.pathname + location.search + location.hash;
  void endSession('ended', `${paths.login}?returnUrl=${encodeURIComponent(here)}`, () => setPendingEnding(null));
}

/** Clears the device, calls `afterwards`, and replaces the page, so that no module state survives. */
export async function endSession(ending: Ending, to: string, afterwards?: () => void): Promise<void> {
  if (session.get().is === 'ended') return;
  setToken(null);
  releaseScreens();
  session.set({ is: 'ended' });
  endPageSession();
  await clearDevice(ending);
  afterwards?.();
  location.replace(to);
}

/**
 * Deletes the couple's data from this device and this tab's history, and stores what the next page says about a deleted
 * space.
 */
export async function clearDevice(ending: Ending): Promise<void> {
  await Promise.allSettled([forgetDevice({ keepUnsent: ending === 'ended' }), clearTabHistory(paths.login)]);
  saveExpectedFarewell();
}
