import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import type { authCalls } from '../contract.ts';
import { leavingRoutes } from './couple/deletion-routes.ts';
import { invitationRoutes } from './couple/invitation-routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { sessionRoutes } from './session/session-routes.ts';
import type { Auth } from './session/sessions.ts';
import { profileRoutes } from './settings/profile-routes.ts';
import { accountRoutes } from './sign-in/account-routes.ts';
import { openTries } from './sign-in/rate-limits.ts';

/** Every call of the slice. The app ends what works beside the calls: `events`, `setup` and `eraser`. */
export function authRoutes(deps: Deps, beside: Pick<Auth, 'events' | 'setup' | 'eraser'>): Routes<typeof authCalls> {
  const auth = { deps, ...beside, tries: openTries(deps) };
  return {
    ...accountRoutes(auth),
    ...sessionRoutes(auth),
    ...profileRoutes(auth),
    ...invitationRoutes(auth),
    ...passkeyRoutes(auth),
    ...leavingRoutes(auth),
  };
}
