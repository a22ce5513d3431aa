import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import type { authCalls } from '../contract.ts';
import { accountRoutes } from './account-routes.ts';
import type { Events } from './events.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { leavingRoutes } from './leaving-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { openTries } from './tries.ts';

/** Every call of the slice. `events` are the live streams, which the app closes before it stops. */
export function authRoutes(deps: Deps, events: Events): Routes<typeof authCalls> {
  const auth = { deps, events, tries: openTries(deps) };
  return {
    ...accountRoutes(auth),
    ...sessionRoutes(auth),
    ...profileRoutes(auth),
    ...invitationRoutes(auth),
    ...passkeyRoutes(auth),
    ...leavingRoutes(auth),
  };
}
