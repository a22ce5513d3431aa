import { useStore } from '../../../base/web/state/use-store.ts';
import type { User } from '../../contract.ts';
import { type PageSession, session } from './session.ts';

/** The state of the session. */
export function useSession(): PageSession {
  return useStore(session);
}

/** The signed-in user, on screens that need one. @throws outside of a session */
export function useUser(): User {
  const now = useSession();
  if (now.is !== 'in') throw new Error('This screen needs a signed-in user.');
  return now.user;
}
