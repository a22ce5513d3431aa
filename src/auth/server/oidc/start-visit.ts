import type { FastifyRequest } from 'fastify';
import { invalidField, Refusal } from '../../../base/refusal.ts';
import { Answer } from '../../../base/server/calls/answer.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import { ownPath } from '../../own-path.ts';
import { authLimits } from '../../rules.ts';
import { confirmUser } from '../confirm-user.ts';
import { lookUpInvitation } from '../couple/invitation-routes.ts';
import { assertOwnOrigin } from '../origin.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { createAuthenticator } from '../session/authenticate.ts';
import { endAbandonedSession, userOfCookie } from '../session/sessions.ts';
import { assertRegistrationOpen, assertSetupCode } from '../sign-in/create-couple.ts';
import { hashOfSetupCode } from '../sign-in/setup-code.ts';
import { browserCookie, browserSecret, newBrowserSecret, secretsOfVisit } from './browser-cookie.ts';
import { findConnection } from './connection-store.ts';
import type { OidcServices } from './oidc-routes.ts';
import { VisitFailed } from './open-provider.ts';
import { insertStart } from './visit-store.ts';

/**
 * Begins a visit to the OpenID provider: checks what it is for, ties it to this browser by a cookie, and answers the
 * provider's address. The browser keeps its secret during its other visits, so that two tabs don't disturb each other.
 */
export function startVisit(services: OidcServices): Routes<typeof authCalls>['POST /api/auth/oidc/start'] {
  const { deps, rateLimits } = services;
  const { db, config } = deps;
  const authenticate = createAuthenticator(deps);

  /** The session of an intent that needs one. @throws Refusal 401, 403 */
  const sessionFor = (request: FastifyRequest, intent: unknown): Promise<Session> | null =>
    intent === 'connect' || intent === 'confirm' ? authenticate(request, 'session') : null;

  return {
    checkEarly: async ({ request }) => {
      assertOwnOrigin(config, request, { required: true });
      services.provider();
    },
    checkReferences: async ({ request }, raw) => {
      const { intent, code, setupCode }: Readonly<Record<string, unknown>> =
        typeof raw === 'object' && raw !== null ? { ...raw } : {};
      await sessionFor(request, intent);
      if (intent === 'register') {
        await assertRegistrationOpen(deps);
        await assertSetupCode(services, request, hashOfSetupCode(setupCode));
      }
      if (intent === 'join' && typeof code === 'string') await lookUpInvitation(services, code, request.ip);
    },
    handle: async ({ request, body, now }) => {
      const { intent, code } = body;
      await rateLimits.count('openid', request.ip, authLimits.challenges);
      const session = await sessionFor(request, intent);
      if (intent === 'join' && !code) throw invalidField('code', 'Code is required');
      if (session !== null && intent === 'connect') await confirmUser(services, request, session, body);
      if (
        session !== null &&
        intent === 'confirm' &&
        !(await findConnection(db.read, session.coupleId, session.userId))
      ) {
        throw new Refusal(409, `${services.provider().name} is not connected to your account.`);
      }
      const earlierUser = await userOfCookie(deps, db.read, request);
      if (session === null) await endAbandonedSession(deps, request, null);
      const browser = browserSecret(deps, request) ?? newBrowserSecret();
      const secrets = secretsOfVisit(browser, newSecret(256));
      const url = await services
        .provider()
        .begin(secrets, intent === 'confirm')
        .catch((error: unknown) => {
          if (!(error instanceof VisitFailed)) throw error;
          const message = `${services.provider().name} cannot be reached right now. Please try again.`;
          throw new Refusal(503, message, { retryAfter: 30 });
        });
      const purpose = {
        intent,
        returnUrl: ownPath(body.returnUrl ?? null) ?? (session === null ? paths.home : paths.settings),
        session,
        earlierUser,
        codeHash: intent === 'join' && code ? hashOfSecret(code) : null,
        setupCodeHash: intent === 'register' ? hashOfSetupCode(body.setupCode) : null,
      };
      const [stateHash, browserHash] = [hashOfSecret(secrets.state), hashOfSecret(browser)];
      await db.write((tx) => insertStart(tx, { stateHash, browserHash, purpose }, now));
      return new Answer({ url }, { headers: { 'set-cookie': browserCookie(deps, request, browser) } });
    },
  };
}
