import { onSignedOut, renewBy, setToken } from '../../../base/web/net/access-token.ts';
import { ApiError } from '../../../base/web/net/api-error.ts';
import { hasAnswered } from '../../../base/web/net/reachable.ts';
import { scheduleRetry } from '../../../base/web/net/schedule-retry.ts';
import { recall } from '../../../base/web/storage/device-store.ts';
import { forgetSeen } from '../../../base/web/storage/forget-device.ts';
import { readLastSeen } from '../../../base/web/storage/last-seen.ts';
import { paths } from '../../../paths.ts';
import type { User } from '../../contract.ts';
import { authApi } from '../queries.ts';
import { openEarlyStream } from './early-stream.ts';
import { endServerSession } from './end-server-session.ts';
import { clearDevice, dropSession, endSession } from './end-session.ts';
import { isSessionRefused } from './is-session-refused.ts';
import { pendingEnding, setPendingEnding } from './pending-ending.ts';
import { confirmSession, isConfirmed, session } from './session.ts';
import { sessionTabs } from './session-tabs.ts';

/**
 * Opens the page for the last user of this device with what they last saw, while the server is asked for a token: what
 * ended elsewhere is seen for a moment, until the server refuses it. Does nothing while an ending is pending.
 */
export async function openLastSession(): Promise<void> {
  if (recall('known') === null || pendingEnding() !== null) return;
  const user = await readLastSeen<User>();
  // The server may have answered in the meantime.
  if (user !== null && session.get().is === 'starting') session.set({ is: 'in', user, isConfirmed: false });
}

let renewal: Promise<void> | null = null;

/**
 * Requests a token for the session of the cookie, after a reload and when the connection is back (accounts.sessions.8).
 * Only a refusal by the server signs the user out; an unreachable server does not. An ending that is pending is completed
 * first.
 */
export function renew(): Promise<void> {
  renewal ??= (pendingEnding() === 'signed-out' ? completeSignOut() : renewSession()).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** How long the server may take to answer before the app opens as if it were offline, in milliseconds. */
const PATIENCE_MS = 8000;

async function renewSession(): Promise<void> {
  // The page whose session ended may have been closed before it had cleared the device.
  if (pendingEnding() === 'ended') {
    await clearDevice('ended');
    setPendingEnding(null);
  }
  const wasConfirmed = isConfirmed();
  /** Whether the session has ended in the meantime, or the user has signed in: the reply is of the session before. */
  const isLate = () => session.get().is === 'ended' || (!wasConfirmed && isConfirmed());
  if (session.get().is === 'out') session.set({ is: 'starting' });
  const slow = setTimeout(() => recall('known') !== null && void continueOffline(), PATIENCE_MS);
  try {
    const { token, user } = await authApi('POST /api/auth/renew');
    if (isLate()) return;
    const now = session.get();
    // Another user has signed in on this device, in another tab.
    if (now.is === 'in' && now.user.id !== user.id) return dropSession();
    await openEarlyStream(token);
    if (isLate()) return;
    setToken(token);
    confirmSession(user);
  } catch (error) {
    if (isLate()) return;
    if (error instanceof ApiError && error.type === 'suspended') showSuspended();
    else if (isSessionRefused(error)) await acceptRefusal();
    else await continueOffline();
  } finally {
    clearTimeout(slow);
  }
}

/** The space is suspended, so nothing of it is shown. What this device stores stays. */
function showSuspended(): void {
  setToken(null);
  session.set({ is: 'suspended' });
}

/** The server says that the session is over, or that there is none. */
async function acceptRefusal(): Promise<void> {
  if (session.get().is === 'in') return dropSession();
  if (recall('known') !== null) await forgetSeen();
  session.set({ is: 'out' });
}

/** The server could not be asked. The last user of this device stays signed in. */
async function continueOffline(): Promise<void> {
  if (isConfirmed()) return;
  await openLastSession();
  // The server may have answered in the meantime.
  if (isConfirmed()) return;
  if (session.get().is === 'starting') session.set({ is: 'unreachable' });
  if (session.get().is === 'in') hasAnswered.set(false);
}

let clearing: Promise<void> | null = null;

/**
 * Completes a sign-out: clears the device, which the page before may not have done, gets a token and ends the session, and again
 * until the server confirms it. It is given up when a user signs in: with their token it would sign them out, and its
 * reply would clear their cookie.
 */
async function completeSignOut(): Promise<void> {
  clearing ??= clearDevice('signed-out');
  await clearing;
  if (session.get().is !== 'in') session.set({ is: 'out' });
  const given = new AbortController();
  const giveUp = () => pendingEnding() === null && given.abort();
  giveUp();
  const stop = session.subscribe(giveUp);
  sessionTabs.addEventListener('message', giveUp);
  const isOver = await endServerSession(given.signal);
  stop();
  sessionTabs.removeEventListener('message', giveUp);
  if (given.signal.aborted) return;
  setToken(null);
  if (isOver) setPendingEnding(null);
  else scheduleRetry(() => pendingEnding() !== null && void renew());
}

/** Lets calls renew the token and end the session, and follows the sign-ins and sign-outs of other tabs. */
export function watchSession(): void {
  onSignedOut(dropSession);
  // A sign-out does not wait for a renewal, which would wait for the sign-out.
  renewBy(
    async () => (pendingEnding() === 'signed-out' ? undefined : renew()),
    () => session.get().is === 'in',
  );
  sessionTabs.addEventListener('message', ({ data }) => {
    const { is } = session.get();
    if (data === 'out' && is === 'in') void endSession('signed-out', paths.login);
    if (data === 'in' && is === 'out') void Promise.resolve(renewal).then(renew);
  });
}
