import { LEAVING_COOKIE } from '../../../base/first.ts';
import { ApiError, client, onSignedOut, renewBy, setToken } from '../../../base/web/api.ts';
import { beOver, recall, remember } from '../../../base/web/device-store.ts';
import { holdDraft } from '../../../base/web/draft-store.ts';
import { isServer } from '../../../base/web/first.ts';
import { releaseScreens } from '../../../base/web/guards.ts';
import { paths } from '../../../paths.ts';
import type { authCalls, SignedIn, User } from '../../contract.ts';

/*
 * The session of this page, without React: it begins before that is here.
 */
const authApi = client<typeof authCalls>();

/**
 * Who is here. `unreachable`: the server could not be asked, which signs nobody out; where this device knows who was here
 * last it is `in`, and `away`: they see what was last seen. `leaving`: the session is over, and this page is about to be
 * replaced by a fresh one that knows nothing of the couple.
 */
export type Session =
  | { readonly is: 'starting' | 'out' | 'unreachable' | 'leaving' }
  | { readonly is: 'in'; readonly user: User; readonly away: boolean };

let session: Session = { is: 'starting' };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Hears when that changes; answers how to stop. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who is here now. */
export function sessionNow(): Session {
  return session;
}

/** Takes what a call of signing in answered: login, register, join. The screens then lead on by themselves. */
export function enter({ token, user }: SignedIn): void {
  setToken(token);
  markLeaving(false);
  begin(user);
  tabs?.postMessage('in');
}

function begin(user: User): void {
  remember('known', 'yes');
  become({ is: 'in', user, away: false });
}

/** Remembers, for the server as well, that somebody signs out here who may not get through with it. */
function markLeaving(leaving: boolean): void {
  remember('leaving', leaving ? 'yes' : null);
  // The server's cookie is out of our reach; by this one it knows to draw nothing of the couple here.
  document.cookie = `${LEAVING_COOKIE}=1; Path=/; SameSite=Strict; Max-Age=${leaving ? 31_536_000 : 0}`;
}

/** Whose session this is, or null. */
export function userId(): string | null {
  return session.is === 'in' ? session.user.id : null;
}

/** Whether the server cannot be asked: what is known of it is what was last seen. */
export function isAway(): boolean {
  return !navigator.onLine || (session.is === 'in' && session.away);
}

/** Loaded by the first page when it has nothing else to do, so that it is there also when the network is not. */
export const forgetting = () => import('../../../base/web/forget.ts');

/** It comes when it is first needed. */
const lastSeen = () => import('../../../base/web/last-seen.ts');

/** The user as the server has it now, after a change in the settings or by the partner. */
export function setUser(user: User): void {
  if (session.is === 'in') become({ ...session, user });
}

/** Asks again who we are: the partner has joined, or changed what is ours. */
export async function refreshUser(): Promise<void> {
  const { user } = await authApi('GET /api/auth/session');
  setUser(user);
}

/**
 * After a reload, and when the connection is back: a token for the session of the cookie (contract 2, `POST
 * /api/auth/renew`). Only the server's 'no' means signed out; not being able to ask does not.
 */
export function renew(): Promise<void> {
  renewing ??= askAnew().finally(() => {
    renewing = null;
  });
  return renewing;
}

let renewing: Promise<void> | null = null;

async function askAnew(): Promise<void> {
  const leaving = recall('leaving') !== null;
  if (session.is === 'unreachable' || (session.is === 'out' && !leaving)) become({ is: 'starting' });
  try {
    const { token, user } = await authApi('POST /api/auth/renew');
    // Somebody else has signed in here meanwhile, in another tab.
    if (session.is === 'in' && session.user.id !== user.id) return lose();
    setToken(token);
    if (!leaving) begin(user);
    else await finishLeaving();
  } catch (error) {
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    if (refused) await beOut();
    else await beAway();
  }
}

/** There is no session any more. */
async function beOut(): Promise<void> {
  if (session.is === 'in') return lose();
  markLeaving(false);
  if (recall('known') !== null) {
    await forgetting().then(
      ({ forgetSeen }) => forgetSeen(),
      () => undefined,
    );
    remember('known', null);
  }
  become({ is: 'out' });
}

/** The server could not be asked. Whoever was here last, and has not signed out, is still here. */
async function beAway(): Promise<void> {
  if (session.is === 'in') return;
  if (recall('leaving') !== null) return beLeft();
  const user =
    recall('known') === null
      ? null
      : await lastSeen().then(
          ({ whoWasHere }) => whoWasHere<User>(),
          () => null,
        );
  become(user === null ? { is: 'unreachable' } : { is: 'in', user, away: true });
}

/** A sign-out that the server has not confirmed yet is told again. */
async function finishLeaving(): Promise<void> {
  await tellLeaving();
  // Whoever has signed in meanwhile stays.
  if (sessionNow().is === 'in') return;
  setToken(null);
  beLeft();
}

/** Tells the server that this device signs out, and forgets the mark once the session is over there. */
async function tellLeaving(): Promise<void> {
  const told = await authApi('POST /api/auth/logout').then(
    () => true,
    (error: unknown) => error instanceof ApiError && error.status === 401,
  );
  if (told) markLeaving(false);
}

/** How long an unconfirmed sign-out waits for the next try, in milliseconds. */
const TELL_AGAIN_MS = 15_000;

/** Signed out here; the server is told until it confirms it. */
function beLeft(): void {
  become({ is: 'out' });
  setTimeout(() => recall('leaving') !== null && void renew(), TELL_AGAIN_MS);
}

/**
 * Signs this device out: the server first, so that token and cookie are dead, then all that this device holds. Out of
 * reach, the device forgets all the same, and tells the server again until it confirms.
 */
export async function signOut(): Promise<void> {
  goingOut = true;
  markLeaving(true);
  await tellLeaving();
  tabs?.postMessage('out');
  await leave(paths.login);
}

/** Whoever signs out on purpose keeps nothing here, not even where the session turns out to have ended before. */
let goingOut = false;

/** The session has ended under our hands: to the sign-in page, and after it back to where we were (spec 8). */
function lose(): void {
  if (goingOut) return;
  const here = location.pathname + location.search + location.hash;
  // What stands in a form is given back to the same user after signing in again.
  const putDown = session.is === 'in' ? holdDraft(session.user.id) : undefined;
  void leave(`${paths.login}?returnUrl=${encodeURIComponent(here)}`, true, putDown);
}

/** A fresh page takes this one's place: nothing that a module still remembers survives it. */
async function leave(to: string, keepUnsent = false, putDown?: () => void): Promise<void> {
  if (session.is === 'leaving') return;
  setToken(null);
  releaseScreens();
  become({ is: 'leaving' });
  beOver();
  await forgetting().then(
    ({ forgetDevice }) => forgetDevice({ keepUnsent }),
    () => undefined,
  );
  putDown?.();
  location.replace(to);
}

/** What happens in one tab holds for all: the cookie is theirs together. */
const tabs = !isServer && 'BroadcastChannel' in globalThis ? new BroadcastChannel('session') : null;
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'out' && session.is === 'in') void leave(paths.login);
  if (data === 'in' && session.is === 'out') void renew();
});

onSignedOut(lose);
renewBy(renew);
