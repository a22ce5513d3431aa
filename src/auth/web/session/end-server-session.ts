import { hasToken, setToken } from '../../../base/web/net/access-token.ts';
import { authApi } from '../queries.ts';
import { isSessionRefused } from './is-session-refused.ts';

/**
 * Ends the session on the server. A page without a token first gets one: without it, the server answers 401 whether the
 * session is over or not (accounts.signout.9).
 * @returns whether nothing is left to do: the session has ended, or the server refuses it (401, 403)
 */
export async function endServerSession(signal: AbortSignal): Promise<boolean> {
  try {
    if (!hasToken()) {
      const { token } = await authApi('POST /api/auth/renew', {}, { signal });
      signal.throwIfAborted();
      setToken(token);
    }
    await authApi('POST /api/auth/logout', {}, { signal });
    return true;
  } catch (error) {
    return isSessionRefused(error);
  }
}
