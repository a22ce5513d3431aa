import { notFound, Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import type { AuthServices } from '../auth-services.ts';
import { confirmUser, wrongCurrentPassword } from '../confirm-user.ts';
import { tellByMail } from '../mail/tell-by-mail.ts';
import { listPasskeys } from '../passkeys/passkey-store.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { NO_PASSWORD } from '../sign-in/passwords.ts';
import { lockAccount } from '../user-store.ts';
import { deleteConnection } from './connection-store.ts';
import { finishVisit, readArrival } from './finish-visit.ts';
import { openProvider, type Provider } from './open-provider.ts';
import { returnFromProvider } from './return-from-provider.ts';
import { startVisit } from './start-visit.ts';

/** What the routes of an OpenID provider use. */
export interface OidcServices extends AuthServices {
  /** @throws Refusal 404 if the server has no provider */
  provider(): Provider;
}

/** Routes for an OpenID provider: a way to sign in beside the password and passkeys. */
export function oidcRoutes(auth: AuthServices) {
  const { deps } = auth;
  const { config, now, log } = deps;
  const opened = config.oidc && config.publicUrl ? openProvider(config.oidc, config.publicUrl, now, log) : null;
  const services: OidcServices = {
    ...auth,
    provider: () => {
      if (opened === null) throw new Refusal(404, 'This server has no OpenID provider.');
      return opened;
    },
  };
  return {
    'POST /api/auth/oidc/start': startVisit(services),
    'GET /api/auth/oidc/callback': returnFromProvider(services),
    'GET /api/auth/oidc/finish': readArrival(services),
    'POST /api/auth/oidc/finish': finishVisit(services),
    'DELETE /api/auth/oidc': {
      checkEarly: async () => services.provider(),
      handle: async ({ request, body, session }) => {
        const { coupleId, userId } = session;
        const { passwordHash } = await confirmUser(auth, request, session, body);
        await deps.db.write(async (tx) => {
          await assertSignedIn(tx, session);
          if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongCurrentPassword();
          const hasPasskey = (await listPasskeys(tx, coupleId, userId)).length > 0;
          if (passwordHash === NO_PASSWORD && !hasPasskey) {
            throw new Refusal(409, 'This is your only way to sign in. Set a password or add a passkey first.');
          }
          if (!(await deleteConnection(tx, coupleId, userId))) throw notFound('Connection');
          await tellByMail(deps, tx, session, 'removedProvider', services.provider().name);
        });
        return null;
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}
