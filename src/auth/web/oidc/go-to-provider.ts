import { authApi } from '../queries.ts';
import { pendingEnding, setPendingEnding } from '../session/pending-ending.ts';

type Visit = NonNullable<Parameters<typeof authApi<'POST /api/auth/oidc/start'>>[1]>['body'];

/** Leaves this page for the OpenID provider. @throws ApiError */
export async function goToProvider(visit: Visit): Promise<void> {
  const { url } = await authApi('POST /api/auth/oidc/start', { body: visit });
  // The server has ended the session of a user who signed out here. The next one is not to be signed out.
  const isSignedIn = visit.intent === 'connect' || visit.intent === 'confirm';
  if (!isSignedIn && pendingEnding() === 'signed-out') setPendingEnding(null);
  location.assign(url);
}
