import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { authCalls } from '../contract.ts';
import type { AuthServices } from './auth-services.ts';
import { invitationRoutes } from './couple/invitation-routes.ts';
import { leaveAndDeleteRoutes } from './couple/leave-and-delete-routes.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { oidcRoutes } from './oidc/oidc-routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { recoveryRoutes } from './recovery/recovery-routes.ts';
import { sessionRoutes } from './session/session-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { accountRoutes } from './sign-in/account-routes.ts';
import { openRateLimits } from './sign-in/rate-limits.ts';

/** All routes of the slice. The app owns and stops the background services (`events`, `setup`, `eraser`), and fills the ports. */
export function authRoutes(
  deps: Deps,
  services: Pick<AuthServices, 'events' | 'setup' | 'eraser' | 'keepForPartner' | 'tellOfRecovery'>,
): Routes<typeof authCalls> {
  const auth = { deps, ...services, rateLimits: openRateLimits(deps) };
  return {
    ...accountRoutes(auth),
    ...sessionRoutes(auth),
    ...settingsRoutes(auth),
    ...invitationRoutes(auth),
    ...recoveryRoutes(auth),
    ...passkeyRoutes(auth),
    ...oidcRoutes(auth),
    ...mailRoutes(auth),
    ...leaveAndDeleteRoutes(auth),
  };
}
