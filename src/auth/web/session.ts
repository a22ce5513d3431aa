import { useSyncExternalStore } from 'react';
import type { User } from '../contract.ts';
import { onSession, type Session, sessionNow } from './who.ts';

/** Who is here. */
export function useSession(): Session {
  return useSyncExternalStore(onSession, sessionNow);
}

/** The user, on screens that only a signed-in one sees. */
export function useUser(): User {
  const now = useSession();
  if (now.is !== 'in') throw new Error('This screen needs somebody signed in.');
  return now.user;
}
