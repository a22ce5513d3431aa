import { authApi } from '../queries.ts';
import { setUser } from './session.ts';

/** Reads the user again: the partner has joined, or the couple or the ways to sign in have changed. */
export async function refetchUser(): Promise<void> {
  try {
    setUser((await authApi('GET /api/auth/session')).user);
  } catch {
    // The next change or reload brings it.
  }
}
