import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey, WRONG_LOGIN } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { assertOwnOrigin } from '../origin.ts';
import { cookieSecret } from '../session/session-cookie.ts';
import { createSessionFinder } from '../session/session-finder.ts';
import { openSession, signedInReply, signInOn } from '../session/sessions.ts';
import type { Account } from '../user-store.ts';
import { findAccount, hasUsers, lockAccount } from '../user-store.ts';
import { assertRegistrationOpen, assertSetupCode, createCouple } from './create-couple.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { hashOfSetupCode } from './setup-code.ts';

/** Routes for the registration status, registering and signing in. */
export function accountRoutes(auth: AuthServices) {
  const { deps, rateLimits, setup } = auth;
  const { db, config } = deps;
  const { byCookie } = createSessionFinder(deps);

  /** The id of the session of the device's cookie, if it is one of this account. */
  const knownSessionId = async (request: FastifyRequest, account: Account | undefined): Promise<string | undefined> => {
    const session = await byCookie(cookieSecret(deps, request));
    return session !== null && session.userId === account?.id ? session.id : undefined;
  };

  return {
    'GET /api/auth/status': async ({ request }) => ({
      registration: config.registration === 'first' && (await hasUsers(db.read)) ? 'closed' : config.registration,
      needsSetupCode: await setup.isNeeded(request.hostname),
      mail: isMailOn(config),
      oidc: config.oidc && { name: config.oidc.name },
    }),

    'POST /api/auth/register': {
      checkEarly: async ({ request }) => {
        assertOwnOrigin(config, request);
        await assertRegistrationOpen(deps);
      },
      checkReferences: async ({ request }, raw) => {
        const given = typeof raw === 'object' && raw !== null && 'setupCode' in raw ? raw.setupCode : null;
        await assertSetupCode(auth, request, hashOfSetupCode(given));
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        await rateLimits.count('register', request.ip, deps.registrations);
        const passwordHash = await hashPassword(body.password, deps.passwordCost);
        const setupCodeHash = hashOfSetupCode(body.setupCode);
        const session = await db.write(async (tx) => {
          const couple = { person: { email, displayName, passwordHash }, timeZone: body.timeZone, setupCodeHash };
          return openSession(tx, await createCouple(auth, tx, request, couple, now), request, now);
        });
        return signedInReply(deps, request, session);
      },
    },

    'POST /api/auth/login': {
      checkEarly: async ({ request }) => assertOwnOrigin(config, request),
      handle: async ({ request, body, now }) => {
        const wrong = new Refusal(401, WRONG_LOGIN);
        const found = await findAccount(db.read, body.email);
        const attempt = {
          address: request.ip,
          account: emailKey(body.email),
          device: await knownSessionId(request, found),
        };
        const check = async () =>
          (await isPassword(body.password, found?.passwordHash ?? null)) ? (found ?? null) : null;
        const account = await rateLimits.attempt(attempt, check, wrong);
        const session = await db.write(async (tx) => {
          // A concurrent password change ended all sessions, so the old password must not start a new one.
          if (!(await lockAccount(tx, account.coupleId, account.id, account.passwordHash))) throw wrong;
          return signInOn(deps, tx, { coupleId: account.coupleId, userId: account.id }, request, now);
        });
        return signedInReply(deps, request, session);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}
