import { useSyncExternalStore } from 'react';
import { onServer } from '../../../base/web/first.ts';
import type { User } from '../../contract.ts';
import { onSession, type Session, sessionNow } from './session.ts';

/** Whom the server draws the page for; here that is who has been taken in from it. */
function drawnFor(): Session {
  const drawn = onServer();
  return drawn === null ? sessionNow() : { is: 'in', user: drawn.user as User, away: false };
}

/** Who is here. */
export function useSession(): Session {
  return useSyncExternalStore(onSession, sessionNow, drawnFor);
}

/** The user, on screens that only a signed-in one sees. */
export function useUser(): User {
  const now = useSession();
  if (now.is !== 'in') throw new Error('This screen needs somebody signed in.');
  return now.user;
}
