import type { FastifyRequest } from 'fastify';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { AuthServices } from '../auth-services.ts';
import { insertCouple } from '../couple/couple-store.ts';
import { askToConfirmEmail } from '../mail/ask-to-confirm-email.ts';
import { hasUsers, insertUser } from '../user-store.ts';
import { lockAttempts } from './rate-limit-store.ts';
import { emailTaken } from './taken-email.ts';

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
  await askToConfirmEmail(deps, tx, { coupleId, userId });
  return { coupleId, userId };
}

function wrongSetupCode(): Refusal {
  return new Refusal(403, 'This is not the setup code that the server printed.');
}

function registrationClosed(): Refusal {
  return new Refusal(403, 'Registration is closed. Ask your partner for an invitation.');
}
