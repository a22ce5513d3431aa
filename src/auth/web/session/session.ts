import { SIGN_OUT_PENDING_COOKIE } from '../../../base/ssr.ts';
import { ApiError, client, onSignedOut, renewBy, setToken } from '../../../base/web/api.ts';
import { beOver, recall, remember } from '../../../base/web/device-store.ts';
import { releaseScreens } from '../../../base/web/guards.ts';
import { isServer } from '../../../base/web/ssr.ts';
import { paths } from '../../../paths.ts';
import type { authCalls, SignedIn, User } from '../../contract.ts';

/*
 * The session of this page. It uses no React, because it starts before React is loaded.
 */
const authApi = client<typeof authCalls>();

/**
 * The state of the session. `unreachable`: the server could not be asked, which signs nobody out; if this device
 * remembers its last user, the state is `in` with `offline`, and the screens show what was last seen. `ended`: the
 * session is over, and a fresh page that knows nothing of the couple is about to replace this one.
 */
export type Session =
  | { readonly is: 'starting' | 'out' | 'unreachable' | 'ended' }
  | { readonly is: 'in'; readonly user: User; readonly offline: boolean };

let session: Session = { is: 'starting' };
const listeners = new Set<() => void>();

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Subscribes to changes of the session. @returns a function that unsubscribes */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current state of the session. */
export function currentSession(): Session {
  return session;
}

/** Signs in with the reply of login, register or join. The router then redirects by itself. */
export function signInWith({ token, user }: SignedIn): void {
  setToken(token);
  setSignOutPending(null);
  startSession(user);
  tabs?.postMessage('in');
}

function startSession(user: User): void {
  remember('known', 'yes');
  setSession({ is: 'in', user, offline: false });
}

/**
 * Records that a sign-out on this device is pending until the server has confirmed it and the device is cleared.
 * @param what what has to be deleted: all after a sign-out, and what was last seen after a session that ended by itself
 */
function setSignOutPending(what: 'all' | 'seen' | null): void {
  remember('leaving', what);
  // Scripts can't clear the session cookie. This cookie tells the server not to render the couple's data here.
  document.cookie = `${SIGN_OUT_PENDING_COOKIE}=1; Path=/; SameSite=Strict; Max-Age=${what ? 31_536_000 : 0}`;
}

/** Set once this page has deleted everything from the device. */
let isCleared = false;

/** Deletes the couple's data from this device, see `forgetDevice`. Rejects if the code for it can't be loaded. */
async function clearDevice(keepUnsent = false): Promise<void> {
  const { forgetDevice } = await loadForget();
  await forgetDevice({ keepUnsent });
  isCleared = !keepUnsent;
}

/** The id of the signed-in user, or null. */
export function userId(): string | null {
  return session.is === 'in' ? session.user.id : null;
}

/** Whether the server can't be reached, so that the screens show what was last seen. */
export function isOffline(): boolean {
  return !navigator.onLine || (session.is === 'in' && session.offline);
}

/** Loads the code that clears the device. The first page preloads it when idle, so that it works offline. */
export const loadForget = () => import('./end-session.ts');

/** Loaded on first use. */
const loadLastSeen = () => import('../../../base/web/last-seen.ts');

/** Updates the user after a change in the settings or by the partner. */
export function setUser(user: User): void {
  if (session.is === 'in') setSession({ ...session, user });
}

/**
 * Requests a token for the session of the cookie, after a reload and when the connection is back (contract 2, `POST
 * /api/auth/renew`). Only a refusal by the server signs the user out; an unreachable server does not.
 */
export function renew(): Promise<void> {
  renewing ??= requestRenewal().finally(() => {
    renewing = null;
  });
  return renewing;
}

let renewing: Promise<void> | null = null;

/** How long the server may take to answer before the app opens as if it were offline, in milliseconds. */
const PATIENCE_MS = 8000;

async function requestRenewal(): Promise<void> {
  const signOutPending = recall('leaving') !== null;
  const wasIn = session.is === 'in';
  /** Whether the session has ended in the meantime, or the user has signed in: the reply is of the session before. */
  const isLate = () => session.is === 'ended' || (!wasIn && session.is === 'in' && !session.offline);
  if (session.is === 'unreachable' || (session.is === 'out' && !signOutPending)) setSession({ is: 'starting' });
  const slow = setTimeout(() => recall('known') !== null && void markOffline(), PATIENCE_MS);
  // The page in which the user signed out may have been closed before it had cleared the device.
  if (recall('leaving') === 'all' && !isCleared && session.is !== 'in') await clearDevice().catch(() => undefined);
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
    await loadForget().then(
      ({ forgetSeen }) => forgetSeen(),
      // The next start shows nothing of the couple, and clears the device first.
      () => setSignOutPending('seen'),
    );
  }
  setSession({ is: 'out' });
}

/** Marks the session as offline. The last user of this device stays signed in, unless a sign-out is pending. */
async function markOffline(): Promise<void> {
  if (session.is === 'in') return;
  if (recall('leaving') !== null) return markSignOutPending();
  const user =
    recall('known') === null
      ? null
      : await loadLastSeen().then(
          ({ readLastUser }) => readLastUser<User>(),
          () => null,
        );
  // The server may have answered in the meantime.
  if (session.is !== 'starting') return;
  setSession(user === null ? { is: 'unreachable' } : { is: 'in', user, offline: true });
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

/** Sends the logout to the server. @returns whether the server confirmed that the session is over */
const sendLogout = () =>
  loadForget().then(
    ({ requestLogout }) => requestLogout(isSigningOut),
    () => false,
  );

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
  tabs?.postMessage('out');
  await endSession(to, false, () => isConfirmed && isCleared && setSignOutPending(null));
}

/** Set while the user signs out on purpose. Nothing is kept then, even if the session turns out to have ended before. */
let isSigningOut = false;

/** Handles a session that has ended unexpectedly: goes to the sign-in page, and returns to this page later (spec 8). */
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
  beOver();
  await clearDevice(keepUnsent).catch(() => undefined);
  afterwards?.();
  location.replace(to);
}

/** Tabs share the cookie, so a sign-in or sign-out in one tab applies to all. */
const tabs = isServer ? null : new BroadcastChannel('session');
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'out' && session.is === 'in') void endSession(paths.login);
  if (data === 'in' && session.is === 'out') void renew();
});

onSignedOut(dropSession);
renewBy(renew, () => session.is === 'in');
