import { authApi } from '../queries.ts';
import { setUser } from './session.ts';

let asked = 0;
/** The number of the request whose answer was set last. */
let answered = 0;

/**
 * Reads the user again: the partner has joined or left, or the couple or the ways to sign in have changed. Of two requests at
 * once the later one counts, whichever answer comes last.
 */
export async function refetchUser(): Promise<void> {
  asked += 1;
  const own = asked;
  try {
    const { user } = await authApi('GET /api/auth/session');
    if (own < answered) return;
    answered = own;
    setUser(user);
  } catch {
    // The next change or reload brings it.
  }
}
