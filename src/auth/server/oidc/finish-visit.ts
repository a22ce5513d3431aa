import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import { isUniqueViolation } from '../../../base/server/db/faults.ts';
import type { authCalls } from '../../contract.ts';
import { joinCouple } from '../couple/invitation-routes.ts';
import { assertOwnOrigin } from '../origin.ts';
import { hashOfSecret } from '../secrets.ts';
import { openSession, signedInReply } from '../session/sessions.ts';
import { createCouple } from '../sign-in/create-couple.ts';
import { NO_PASSWORD } from '../sign-in/passwords.ts';
import { countEmail } from '../sign-in/taken-email.ts';
import { browserSecret } from './browser-cookie.ts';
import { saveConnection } from './connection-store.ts';
import type { OidcServices } from './oidc-routes.ts';
import { type Arrival, findArrival, takeArrival } from './visit-store.ts';

/** Answers who has come back to this browser, for the form. */
export function readArrival(services: OidcServices): Routes<typeof authCalls>['GET /api/auth/oidc/finish'] {
  return {
    checkEarly: async () => services.provider(),
    handle: async ({ request }) => {
      const { purpose, displayName, email } = await arrivalAt(services, request);
      return { intent: purpose.intent === 'join' ? 'join' : 'register', displayName, email };
    },
  };
}

/** Registers or joins with the identity that has come back to this browser, in one transaction with its connection. */
export function finishVisit(services: OidcServices): Routes<typeof authCalls>['POST /api/auth/oidc/finish'] {
  const { deps, rateLimits } = services;
  return {
    checkEarly: async ({ request }) => {
      assertOwnOrigin(deps.config, request, { required: true });
      services.provider();
      await arrivalAt(services, request);
    },
    handle: async ({ request, body, now }) => {
      const { displayName, email, timeZone } = body;
      const person = { displayName, email, passwordHash: NO_PASSWORD };
      const { browserHash, purpose, issuer, subject } = await arrivalAt(services, request);
      const { codeHash, setupCodeHash } = purpose;
      if (codeHash === null) await rateLimits.count('register', request.ip, deps.registrations);
      else await countEmail(services, request);
      const session = await deps.db
        .write(async (tx) => {
          if (!(await takeArrival(tx, browserHash))) throw nobodyHere();
          const { coupleId, userId } =
            codeHash === null
              ? await createCouple(services, tx, request, { person, timeZone, setupCodeHash }, now)
              : await joinCouple(deps, tx, codeHash, person, now);
          await saveConnection(tx, coupleId, userId, { issuer, subject }, now);
          return openSession(tx, { coupleId, userId }, request, now);
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? connectedElsewhere(services) : error;
        });
      return signedInReply(deps, request, session);
    },
  };
}

/** @throws Refusal 404 */
async function arrivalAt({ deps }: OidcServices, request: FastifyRequest): Promise<Arrival> {
  const browser = browserSecret(deps, request);
  const found = browser && (await findArrival(deps.db.read, hashOfSecret(browser), deps.now()));
  if (!found) throw nobodyHere();
  return found;
}

function nobodyHere(): Refusal {
  return new Refusal(404, 'This took too long, or was finished already. Please begin again.');
}

function connectedElsewhere(services: OidcServices): Refusal {
  return new Refusal(409, `You have an account here already. Sign in with ${services.provider().name} instead.`);
}
