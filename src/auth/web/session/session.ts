import { chooseFormats } from '../../../base/time.ts';
import { releaseScreens } from '../../../base/web/navigation/guards.ts';
import { hasToken, onSignedOut, renewBy, setToken } from '../../../base/web/net/access-token.ts';
import { ApiError } from '../../../base/web/net/api-error.ts';
import { client } from '../../../base/web/net/client.ts';
import { isReachable, setReachable } from '../../../base/web/net/reachable.ts';
import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { forgetDevice, forgetSeen } from '../../../base/web/storage/forget.ts';
import { readLastSeen } from '../../../base/web/storage/last-seen.ts';
import { endPageSession } from '../../../base/web/storage/page-session.ts';
import { paths } from '../../../paths.ts';
import type { authCalls, SignedIn, User } from '../../contract.ts';
import { SIGN_OUT_PENDING_COOKIE } from '../../sign-out-cookie.ts';
import { leaveExpectedFarewell } from '../couple/farewell.ts';

/*
 * The session of this page. It uses no React, because it starts before React is loaded.
 */
const authApi = client<typeof authCalls>();

/**
 * The state of the session. `in`: a user is signed in. A page begins with the last user of this device, and with what they
 * last saw, before the server has confirmed the session (decision 44); with `offline` the server can't be reached.
 * `unreachable`: the server could not be asked, which signs nobody out, and this device knows no user. `ended`: the
 * session is over, and a fresh page that knows nothing of the couple is about to replace this one.
 */
export type PageSession =
  | { readonly is: 'starting' | 'out' | 'unreachable' | 'ended' }
  | { readonly is: 'in'; readonly user: User; readonly offline: boolean };

let session: PageSession = { is: 'starting' };
/** Whether the server has confirmed the session that this page is in. */
let isConfirmed = false;
const listeners = new Set<() => void>();

function setSession(next: PageSession): void {
  session = next;
  // Missing in a user that an older version saved on this device.
  chooseFormats((next.is === 'in' && next.user.formats) || 'us');
  for (const listener of listeners) listener();
}

/** Subscribes to changes of the session. @returns a function that unsubscribes */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current state of the session. */
export function currentSession(): PageSession {
  return session;
}

/** Signs in with the reply of login, register or join. The router then redirects by itself. */
export function signInWith({ token, user }: SignedIn): void {
  setToken(token);
  setSignOutPending(null);
  startSession(user);
  tabs.postMessage('in');
}

function startSession(user: User): void {
  isConfirmed = true;
  setReachable(true);
  remember('known', 'yes');
  setSession({ is: 'in', user, offline: false });
}

/**
 * Records that a sign-out on this device is pending until the server has confirmed it and the device is cleared.
 */
function setSignOutPending(what: 'all' | null): void {
  remember('leaving', what);
  // Scripts can't clear the session cookie. With this cookie, the next sign-in ends the session before.
  document.cookie = `${SIGN_OUT_PENDING_COOKIE}=1; Path=/; SameSite=Strict; Max-Age=${what ? 31_536_000 : 0}`;
}

/** Set once this page has deleted everything from the device. */
let isCleared = false;

/** Deletes the couple's data from this device, and leaves to the next page what it says of the end of the session. */
async function clearDevice(keepUnsent = false): Promise<void> {
  await forgetDevice({ keepUnsent });
  leaveExpectedFarewell();
  isCleared = !keepUnsent;
}

/** The id of the signed-in user, or null. */
export function userId(): string | null {
  return session.is === 'in' ? session.user.id : null;
}

/** Whether the server can't be reached, so that the screens show what was last seen. */
export function isOffline(): boolean {
  return !isReachable();
}

/** Updates the user after a change in the settings or by the partner. */
export function setUser(user: User): void {
  if (session.is === 'in') setSession({ ...session, user });
}

/**
 * Opens the page for the last user of this device with what they last saw, while the server is asked for a token: what
 * ended elsewhere is seen for a moment, until the server refuses it. Does nothing while a sign-out is pending.
 */
export async function openLastSession(): Promise<void> {
  if (recall('known') === null || recall('leaving') !== null) return;
  const user = await readLastSeen<User>();
  // The server may have answered in the meantime.
  if (user !== null && session.is === 'starting') setSession({ is: 'in', user, offline: false });
}

/**
 * Requests a token for the session of the cookie, after a reload and when the connection is back (accounts.sessions.8). Only a refusal by the server signs the user out; an unreachable server does not.
 */
export function renew(): Promise<void> {
  renewal ??= requestRenewal().finally(() => {
    renewal = null;
  });
  return renewal;
}

let renewal: Promise<void> | null = null;

/** How long the server may take to answer before the app opens as if it were offline, in milliseconds. */
const PATIENCE_MS = 8000;

async function requestRenewal(): Promise<void> {
  const signOutPending = recall('leaving') !== null;
  const wasConfirmed = isConfirmed;
  /** Whether the session has ended in the meantime, or the user has signed in: the reply is of the session before. */
  const isLate = () => session.is === 'ended' || (!wasConfirmed && isConfirmed);
  if (session.is === 'unreachable' || (session.is === 'out' && !signOutPending)) setSession({ is: 'starting' });
  const slow = setTimeout(() => recall('known') !== null && void markOffline(), PATIENCE_MS);
  // The page in which the user signed out may have been closed before it had cleared the device.
  if (recall('leaving') === 'all' && !isCleared && session.is !== 'in') await clearDevice();
  try {
    const { token, user } = await authApi('POST /api/auth/renew');
    if (isLate()) return;
    // Another user has signed in on this device, in another tab.
    if (session.is === 'in' && session.user.id !== user.id) return dropSession();
    setToken(token);
    if (!signOutPending) startSession(user);
    else void finishSignOut();
  } catch (error) {
    if (isLate()) return;
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    if (refused) await markSignedOut();
    else await markOffline();
  } finally {
    clearTimeout(slow);
  }
}

/** Marks the session as over, because the server refused it. */
async function markSignedOut(): Promise<void> {
  if (session.is === 'in') return dropSession();
  if (recall('leaving') === 'all' && !isCleared) return markSignOutPending();
  setSignOutPending(null);
  if (recall('known') !== null) {
    await forgetSeen();
  }
  setSession({ is: 'out' });
}

/** Marks the session as offline. The last user of this device stays signed in, unless a sign-out is pending. */
async function markOffline(): Promise<void> {
  if (isConfirmed) return;
  if (recall('leaving') !== null) return markSignOutPending();
  await openLastSession();
  // The server may have answered in the meantime.
  if (isConfirmed) return;
  if (session.is === 'starting') setSession({ is: 'unreachable' });
  if (session.is !== 'in') return;
  setReachable(false);
  setSession({ ...session, offline: true });
}

/** Repeats a logout that the server has not confirmed yet. */
async function finishSignOut(): Promise<void> {
  const isConfirmed = await sendLogout();
  // The user has signed in again in the meantime.
  if (session.is === 'in') return;
  if (isConfirmed && isCleared) setSignOutPending(null);
  setToken(null);
  markSignOutPending();
}

/** How long a logout may take, in milliseconds. */
const LOGOUT_MS = 60_000;

/**
 * Sends the logout to the server. A page that opened while the server was away has no token, and first gets one: without
 * it, the server answers 401 whether the session is over or not. A repeated one is given up when a user signs in: with
 * their token it would sign them out, and its reply would clear their cookie.
 * @returns whether the server confirmed that the session is over
 */
async function sendLogout(): Promise<boolean> {
  const given = new AbortController();
  const giveUp = () => (isSigningOut || session.is !== 'in' ? undefined : given.abort());
  giveUp();
  const unsubscribe = subscribeToSession(giveUp);
  try {
    if (!hasToken()) await authApi('POST /api/auth/renew').then(({ token }) => setToken(token));
    const signal = AbortSignal.any([given.signal, AbortSignal.timeout(LOGOUT_MS)]);
    await authApi('POST /api/auth/logout', {}, { signal });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status === 401;
  } finally {
    unsubscribe();
  }
}

/** The delay before an unconfirmed logout is sent again, in milliseconds. */
const LOGOUT_RETRY_MS = 15_000;

/** Marks this device as signed out, and repeats the logout until the server confirms it. */
function markSignOutPending(): void {
  setSession({ is: 'out' });
  setTimeout(() => recall('leaving') !== null && void renew(), LOGOUT_RETRY_MS);
}

/**
 * Signs this device out: first on the server, so that the token and the cookie become invalid, then by clearing what the
 * device stores. If the server can't be reached, the device is cleared anyway and the logout is repeated later.
 * @param to the path that is opened then
 */
export async function signOut(to: string = paths.login): Promise<void> {
  isSigningOut = true;
  setSignOutPending('all');
  const isConfirmed = await sendLogout();
  tabs.postMessage('out');
  await endSession(to, false, () => isConfirmed && isCleared && setSignOutPending(null));
}

/** Set while the user signs out on purpose. Nothing is kept then, even if the session turns out to have ended before. */
let isSigningOut = false;

/** Handles a session that has ended unexpectedly: goes to the sign-in page, and returns to this page later (screens.forms.7). */
function dropSession(): void {
  if (isSigningOut) return;
  const here = location.pathname + location.search + location.hash;
  void endSession(`${paths.login}?returnUrl=${encodeURIComponent(here)}`, true);
}

/** Clears the device, does what comes after that, and replaces the page, so that no module state survives. */
async function endSession(to: string, keepUnsent = false, afterwards?: () => void): Promise<void> {
  if (session.is === 'ended') return;
  setToken(null);
  releaseScreens();
  setSession({ is: 'ended' });
  endPageSession();
  await clearDevice(keepUnsent);
  afterwards?.();
  location.replace(to);
}

/** Tabs share the cookie, so a sign-in or sign-out in one tab applies to all. */
const tabs = new BroadcastChannel('session');
tabs.addEventListener('message', ({ data }) => {
  if (data === 'out' && session.is === 'in') void endSession(paths.login);
  if (data === 'in' && session.is === 'out') void renew();
});

onSignedOut(dropSession);
renewBy(renew, () => session.is === 'in');
