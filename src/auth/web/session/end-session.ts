import { ApiError, authorization, client, setToken } from '../../../base/web/api.ts';
import { forgetDevice as forget } from '../../../base/web/forget.ts';
import type { authCalls } from '../../contract.ts';
import { leaveExpectedFarewell } from '../couple/farewell.ts';
import { currentSession, subscribeToSession } from './session.ts';

export { forgetSeen } from '../../../base/web/forget.ts';

const authApi = client<typeof authCalls>();

/** Deletes the couple's data from this device, and leaves to the next page what it says of the end of the session. */
export async function forgetDevice(options: Parameters<typeof forget>[0]): Promise<void> {
  await forget(options);
  leaveExpectedFarewell();
}

/** How long a logout may take, in milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Sends the logout to the server. A page that opened while the server was away has no token, and first gets one: without
 * it, the server answers 401 whether the session is over or not.
 * @param isFirst false if it is repeated. Then it is given up when a user signs in: with their token it would sign them
 *   out, and its reply would clear their cookie.
 * @returns whether the server confirmed that the session is over
 */
export async function requestLogout(isFirst: boolean): Promise<boolean> {
  const given = new AbortController();
  const giveUp = () => (isFirst || currentSession().is !== 'in' ? undefined : given.abort());
  giveUp();
  const unsubscribe = subscribeToSession(giveUp);
  try {
    if (!authorization()['authorization']) await authApi('POST /api/auth/renew').then(({ token }) => setToken(token));
    await authApi(
      'POST /api/auth/logout',
      {},
      { signal: AbortSignal.any([given.signal, AbortSignal.timeout(LIMIT_MS)]) },
    );
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status === 401;
  } finally {
    unsubscribe();
  }
}
