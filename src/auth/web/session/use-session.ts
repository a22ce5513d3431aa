import { useSyncExternalStore } from 'react';
import { ssrRequest } from '../../../base/web/ssr.ts';
import type { User } from '../../contract.ts';
import { currentSession, type Session, subscribeToSession } from './session.ts';

/** The session for server-side rendering, and for hydration of that page. */
function serverSession(): Session {
  const request = ssrRequest();
  const now = currentSession();
  // If nothing has changed since, the same object spares a second rendering.
  const unchanged = now.is === 'in' && JSON.stringify(now.user) === JSON.stringify(request?.user);
  return request === null || unchanged ? now : { is: 'in', user: request.user as User, offline: false };
}

/** The state of the session. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession, serverSession);
}

/** The signed-in user, on screens that need one. @throws outside of a session */
export function useUser(): User {
  const now = useSession();
  if (now.is !== 'in') throw new Error('This screen needs a signed-in user.');
  return now.user;
}
