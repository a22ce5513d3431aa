import { formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { authCalls, RecoveryLink } from '../../contract.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { makeRecoveryLink } from './make-recovery-link.ts';
import { agreeToRecovery, type PartnerRecovery, partnerRecoveries, stopRecoveries } from './recovery-store.ts';
import { redeemRecoveryLink } from './redeem-recovery-link.ts';

/**
 * Routes for the link with which one partner lets the other set a new password. It opens everything that the other keeps
 * from the one who made it, so it waits a day, in which the other can stop it.
 */
export function recoveryRoutes(auth: AuthServices) {
  const { deps } = auth;
  const { db } = deps;
  return {
    'GET /api/auth/recovery': async ({ session: { coupleId }, now }) =>
      (await partnerRecoveries(db.read, coupleId, now)).map(toRecoveryLink),

    'POST /api/auth/recovery': makeRecoveryLink(auth),

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

    'POST /api/auth/recovery/{code}': redeemRecoveryLink(auth),
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

function noLink(): Refusal {
  return new Refusal(404, 'There is no link for a new password.');
}
