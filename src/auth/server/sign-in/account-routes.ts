import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Routes } from '../../../base/server/serve.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey, WRONG_LOGIN } from '../../rules.ts';
import { assertOwnOrigin } from '../origin.ts';
import { sessionFinder } from '../session/authenticate.ts';
import { cookieSecret } from '../session/cookie.ts';
import type { Auth } from '../session/sessions.ts';
import { openSession, signedIn } from '../session/sessions.ts';
import type { Account } from '../store.ts';
import { accountOf, hasUsers, insertCouple, insertUser, lockAccount } from '../store.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { lockTries } from './rate-limit-store.ts';

/** Who may register, registering and signing in (contract 2). */
export function accountRoutes({ deps, tries, setup }: Auth) {
  const { db, config } = deps;
  const { byCookie } = sessionFinder(deps);

  /** The session of the device's cookie, if this very account is signed in there. */
  const knownDevice = async (request: FastifyRequest, account: Account | undefined): Promise<string | undefined> => {
    const session = await byCookie(cookieSecret(config, request));
    return session !== null && session.userId === account?.id ? session.id : undefined;
  };

  /**
   * Refuses a registration that is not allowed by now. Of several at the same moment on an empty server one is the
   * first: they queue at one row.
   */
  const assertMayBegin = async (tx: Writer, setupCode: unknown): Promise<void> => {
    if (config.registration !== 'first' && (await hasUsers(tx))) return;
    await lockTries(tx, 'first registration');
    if (config.registration === 'first' && (await hasUsers(tx))) throw closed();
    if (!(await setup.use(tx, setupCode))) throw wrongCode();
  };

  return {
    'GET /api/auth/status': async () => ({
      registration: config.registration === 'first' && (await hasUsers(db.read)) ? 'closed' : config.registration,
      needsSetupCode: await setup.isNeeded(),
    }),

    'POST /api/auth/register': {
      find: async ({ request }) => {
        assertOwnOrigin(config, request);
        if (config.registration === 'closed') throw closed();
        if (config.registration === 'first' && (await hasUsers(db.read))) throw closed();
      },
      checkReferences: async ({ request }, raw) => {
        if (!(await setup.isNeeded())) return;
        const given = typeof raw === 'object' && raw !== null && 'setupCode' in raw ? raw.setupCode : null;
        await tries.guess(
          { address: request.ip },
          async () => ((await setup.isRight(given)) ? true : null),
          wrongCode(),
        );
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        await tries.count('register', request.ip, deps.registrations);
        const passwordHash = await hashPassword(body.password);
        const made = await db.write(async (tx) => {
          await assertMayBegin(tx, body.setupCode);
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

function wrongCode(): Refusal {
  return new Refusal(403, 'This is not the setup code that the server printed.');
}

function closed(): Refusal {
  return new Refusal(403, 'This album is taken. Ask whoever keeps it for an invitation.');
}

export function emailTaken(): Refusal {
  const message = 'Somebody has this email here already.';
  return new Refusal(409, message, { errors: [{ field: 'email', message }] });
}
