import { hasToken, setToken } from '../../../base/web/net/access-token.ts';
import { ApiError } from '../../../base/web/net/api-error.ts';
import { authApi } from '../queries.ts';

/**
 * Ends the session on the server. A page without a token first gets one: without it, the server answers 401 whether the
 * session is over or not (accounts.signout.9).
 * @returns whether the server confirmed that the session is over
 */
export async function logOut(signal: AbortSignal): Promise<boolean> {
  try {
    if (!hasToken()) {
      const { token } = await authApi('POST /api/auth/renew', {}, { signal });
      signal.throwIfAborted();
      setToken(token);
    }
    await authApi('POST /api/auth/logout', {}, { signal });
    return true;
  } catch (error) {
    return isRefusal(error);
  }
}

/** Whether the server refuses a session, and was not merely out of reach. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
