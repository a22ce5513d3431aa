import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../base/refusal.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Routes } from '../../base/server/serve.ts';
import type { authCalls } from '../contract.ts';
import { emailKey, WRONG_LOGIN } from '../rules.ts';
import { sessionFinder } from './authenticate.ts';
import { cookieToken } from './cookie.ts';
import { assertOwnOrigin } from './origin.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { isSetupCode, needsSetupCode } from './setup.ts';
import type { Auth } from './sign-in.ts';
import { openSession, signedIn } from './sign-in.ts';
import type { Account } from './store.ts';
import { accountOf, hasUsers, insertCouple, insertUser, lockAccount } from './store.ts';
import { lockTries } from './tries-store.ts';

/** Who may register, registering and signing in (contract 2). */
export function accountRoutes({ deps, tries }: Auth) {
  const { db, config } = deps;
  const findSession = sessionFinder(deps);

  /** The session of the device's cookie, if this very account is signed in there. */
  const knownDevice = async (request: FastifyRequest, account: Account | undefined): Promise<string | undefined> => {
    const session = await findSession(cookieToken(config, request));
    return session !== null && session.userId === account?.id ? session.id : undefined;
  };

  return {
    'GET /api/auth/status': async () => ({
      registration: config.registration === 'first' && (await hasUsers(db.read)) ? 'closed' : config.registration,
      needsSetupCode: await needsSetupCode(deps),
    }),

    'POST /api/auth/register': {
      find: async ({ request }) => {
        assertOwnOrigin(config, request);
        if (config.registration === 'closed') throw closed();
        if (config.registration === 'first' && (await hasUsers(db.read))) throw closed();
      },
      refer: async ({ request }, raw) => {
        if (!(await needsSetupCode(deps))) return;
        const given = typeof raw === 'object' && raw !== null && 'setupCode' in raw ? raw.setupCode : null;
        const wrong = new Refusal(403, 'The setup code is not the one that the server printed when it started.');
        await tries.guess({ address: request.ip }, async () => (isSetupCode(given) ? true : null), wrong);
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        const passwordHash = await hashPassword(body.password);
        const made = await db.write(async (tx) => {
          if (config.registration === 'first') await assertFirst(tx);
          const coupleId = await insertCouple(tx, body.timeZone ?? 'UTC', now);
          const userId = await insertUser(tx, coupleId, { email, displayName, passwordHash }, now);
          if (userId === null) throw emailTaken();
          return openSession(tx, { coupleId, userId }, request, now);
        });
        return signedIn(deps, request, made);
      },
    },

    'POST /api/auth/login': {
      find: async ({ request }) => assertOwnOrigin(config, request),
      handle: async ({ request, body, now }) => {
        const wrong = new Refusal(401, WRONG_LOGIN);
        const found = await accountOf(db.read, body.email);
        const guesser = {
          address: request.ip,
          account: emailKey(body.email),
          device: await knownDevice(request, found),
        };
        const check = async () =>
          (await isPassword(body.password, found?.passwordHash ?? null)) ? (found ?? null) : null;
        const account = await tries.guess(guesser, check, wrong);
        const made = await db.write(async (tx) => {
          // A password changed while this one was being looked at ended all sessions; none may begin after that.
          if (!(await lockAccount(tx, account.coupleId, account.id, account.passwordHash))) throw wrong;
          return openSession(tx, { coupleId: account.coupleId, userId: account.id }, request, now);
        });
        return signedIn(deps, request, made);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

function closed(): Refusal {
  return new Refusal(403, 'This album is taken. Ask whoever keeps it for an invitation.');
}

export function emailTaken(): Refusal {
  const message = 'Somebody has this email here already.';
  return new Refusal(409, message, { errors: [{ field: 'email', message }] });
}

/** Only the first couple may register, also of two at the same moment: they queue up at one row, and the later looks again. */
async function assertFirst(tx: Writer): Promise<void> {
  await lockTries(tx, 'first registration');
  if (await hasUsers(tx)) throw closed();
}
