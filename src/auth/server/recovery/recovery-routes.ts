import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import { paths } from '../../../paths.ts';
import type { authCalls, RecoveryLink } from '../../contract.ts';
import { linkTime } from '../../recovery-text.ts';
import { authLimits } from '../../rules.ts';
import { issueCode, redeemCode } from '../code-store.ts';
import { endAccess } from '../end-access.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { deletePasskeys } from '../passkeys/passkey-store.ts';
import { hashOfSecret } from '../secrets.ts';
import type { AuthServices } from '../session/sessions.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { announceCouple } from '../settings/profile-routes.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { getAccount, partnersOf, readCouple, updatePassword } from '../store.ts';
import {
  agreeToRecovery,
  findRecovery,
  type PartnerRecovery,
  partnerRecoveries,
  type Recovery,
  stopRecoveries,
} from './recovery-store.ts';

/**
 * Routes for the link with which one partner lets the other set a new password. It opens everything that the other keeps
 * from the one who made it, so it waits a day, in which the other can stop it.
 */
export function recoveryRoutes(auth: AuthServices) {
  const { deps, rateLimits, events, tellOfRecovery } = auth;
  const { db, config } = deps;

  /** @throws Refusal 404, counted as a failed attempt of the address; 403 before the link works */
  const lookUp = async (code: string, address: string): Promise<void> => {
    const recovery = await rateLimits.attempt(
      { address },
      () => findRecovery(db.read, hashOfSecret(code), deps.now()),
      invalidLink(),
    );
    await assertUsable(recovery);
  };

  const assertUsable = async ({ coupleId, usableAt }: Pick<Recovery, 'coupleId' | 'usableAt'>): Promise<void> => {
    const wait = (usableAt ?? 0) - deps.now();
    if (usableAt === null || wait <= 0) return;
    const { timeZone } = await readCouple(db.read, coupleId);
    throw new Refusal(403, `This link works from ${linkTime(usableAt, timeZone)}.`, {
      retryAfter: Math.ceil(wait / 1000),
    });
  };

  return {
    'GET /api/auth/recovery': async ({ session: { coupleId }, now }) =>
      (await partnerRecoveries(db.read, coupleId, now)).map(toRecoveryLink),

    'POST /api/auth/recovery': async ({ request, session, now }) => {
      const { coupleId, userId } = session;
      const { code, usableAt, expiresAt } = await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        const forUser = (await partnersOf(tx, coupleId)).find((id) => id !== userId);
        if (forUser === undefined) throw new Refusal(409, 'You have no partner here yet.');
        const issued = await issueCode(
          tx,
          coupleId,
          {
            kind: 'partnerRecovery',
            createdBy: userId,
            forUser,
            bits: 128,
            delay: authLimits.partnerRecoveryDelay,
            lifetime: authLimits.partnerRecovery,
          },
          now,
        );
        await tellOfRecovery(
          tx,
          coupleId,
          { id: issued.id, createdBy: userId, forUser, expiresAt: issued.expiresAt },
          now,
        );
        await announceCouple(deps, tx, coupleId, userId);
        return issued;
      });
      return {
        url: ownOrigin(config, request) + paths.recover(code),
        usableAt: formatInstant(usableAt),
        expiresAt: formatInstant(expiresAt),
      };
    },

    'POST /api/auth/recovery/agree': async ({ session, now }) => {
      const { coupleId, userId } = session;
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        if (!(await agreeToRecovery(tx, coupleId, userId, now))) throw noLink();
        await announceCouple(deps, tx, coupleId, userId);
      });
      return null;
    },

    'DELETE /api/auth/recovery': async ({ session, now }) => {
      const { coupleId, userId } = session;
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        if (!(await stopRecoveries(tx, coupleId, now))) throw noLink();
        await announceCouple(deps, tx, coupleId, userId);
      });
      return null;
    },

    'POST /api/auth/recovery/{code}': {
      find: async ({ request, params }) => {
        assertOwnOrigin(config, request);
        await lookUp(params.code, request.ip);
      },
      handle: async ({ params, body, now }) => {
        const codeHash = hashOfSecret(params.code);
        const passwordHash = await hashPassword(body.newPassword, deps.passwordCost);
        const account = await db.write(async (tx) => {
          const recovery = await findRecovery(tx, codeHash, now);
          if (recovery === null || !(await redeemCode(tx, recovery.coupleId, recovery.id, now))) throw invalidLink();
          const { coupleId, forUser } = recovery;
          await updatePassword(tx, coupleId, forUser, passwordHash);
          await endAccess(tx, coupleId, forUser, null);
          // The user may have lost the device that holds the passkeys.
          if (!body.keepPasskeys) await deletePasskeys(tx, coupleId, forUser);
          const found = await getAccount(tx, coupleId, forUser);
          await announceCouple(deps, tx, coupleId, forUser);
          return found;
        });
        await rateLimits.clear(account.emailKey);
        events.end(account.id, { except: null });
        return null;
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

function toRecoveryLink({ forUser, createdBy, usableAt, expiresAt }: PartnerRecovery): RecoveryLink {
  return {
    for: forUser,
    madeBy: createdBy,
    usableAt: formatInstant(usableAt),
    expiresAt: formatInstant(expiresAt),
  };
}

function invalidLink(): Refusal {
  return new Refusal(404, 'This link is invalid, used or expired. Ask for a new one.');
}

function noLink(): Refusal {
  return new Refusal(404, 'There is no link for a new password.');
}
