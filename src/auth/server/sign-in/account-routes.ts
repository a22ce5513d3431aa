import type { FastifyRequest } from 'fastify';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey, WRONG_LOGIN } from '../../rules.ts';
import { askToConfirm } from '../mail/queue-user-mail.ts';
import { assertOwnOrigin } from '../origin.ts';
import { createSessionFinder } from '../session/authenticate.ts';
import { cookieSecret } from '../session/cookie.ts';
import type { AuthServices } from '../session/sessions.ts';
import { openSession, signedInReply, signInOn } from '../session/sessions.ts';
import type { Account } from '../store.ts';
import { findAccount, hasUsers, insertCouple, insertUser, lockAccount } from '../store.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { lockAttempts } from './rate-limit-store.ts';
import { hashOfSetupCode } from './setup-code.ts';

/** Routes for the registration status, registering and signing in. */
export function accountRoutes(auth: AuthServices) {
  const { deps, rateLimits, setup } = auth;
  const { db, config } = deps;
  const { byCookie } = createSessionFinder(deps);

  /** The id of the cookie's session, if this account is signed in there. */
  const knownDevice = async (request: FastifyRequest, account: Account | undefined): Promise<string | undefined> => {
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
          device: await knownDevice(request, found),
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

/** @throws Refusal 403 if nobody may register now */
export async function assertRegistrationOpen({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  if (config.registration === 'closed') throw registrationClosed();
  if (config.registration === 'first' && (await hasUsers(db.read))) throw registrationClosed();
}

/** @throws Refusal 403 if the setup code is needed and this is not its hash, counted as a failed attempt; 429 */
export async function assertSetupCode(
  { rateLimits, setup }: Pick<AuthServices, 'rateLimits' | 'setup'>,
  request: FastifyRequest,
  codeHash: string | null,
): Promise<void> {
  if (!(await setup.isNeeded(request.hostname))) return;
  const check = async () => ((await setup.isRight(codeHash)) ? true : null);
  await rateLimits.attempt({ address: request.ip }, check, wrongSetupCode());
}

/** A couple that registers: its first partner, with the hash of the password and of the setup code. */
interface NewCouple {
  readonly person: Parameters<typeof insertUser>[2];
  readonly timeZone: string | null;
  readonly setupCodeHash: string | null;
}

/**
 * Creates a couple with its first partner. It checks again, in the transaction, that registration is allowed: concurrent
 * first registrations on an empty server queue for one row lock, so only one of them succeeds.
 * @throws Refusal 403 if it isn't, 409 if the e-mail is taken
 */
export async function createCouple(
  { deps, setup }: Pick<AuthServices, 'deps' | 'setup'>,
  tx: Writer,
  { hostname }: FastifyRequest,
  { person, timeZone, setupCodeHash }: NewCouple,
  now: number,
): Promise<{ readonly coupleId: CoupleId; readonly userId: UserId }> {
  const { config } = deps;
  if (config.registration === 'closed') throw registrationClosed();
  if (config.registration === 'first' || !(await hasUsers(tx))) {
    await lockAttempts(tx, 'first registration');
    if (config.registration === 'first' && (await hasUsers(tx))) throw registrationClosed();
    if (!(await setup.use(tx, setupCodeHash, hostname))) throw wrongSetupCode();
  }
  const coupleId = await insertCouple(tx, timeZone ?? 'UTC', now);
  const userId = await insertUser(tx, coupleId, person, now);
  if (userId === null) throw emailTaken();
  await askToConfirm(deps, tx, { coupleId, userId });
  return { coupleId, userId };
}

function wrongSetupCode(): Refusal {
  return new Refusal(403, 'This is not the setup code that the server printed.');
}

function registrationClosed(): Refusal {
  return new Refusal(403, 'Registration is closed. Ask your partner for an invitation.');
}

/**
 * Counts an e-mail that a user or an invited partner wants: the answer says whether somebody else has it.
 * @throws Refusal 429 after as many from this address as couples may register there
 */
export function countEmail({ rateLimits, deps }: AuthServices, { ip }: FastifyRequest): Promise<void> {
  return rateLimits.count('e-mail', ip, deps.registrations);
}

export function emailTaken(): Refusal {
  const message = 'This email is already in use.';
  return new Refusal(409, message, { errors: [{ field: 'email', message }] });
}
