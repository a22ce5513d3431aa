import { formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { assertCanTellOfLink, tellByMail } from '../mail/tell-by-mail.ts';
import { issueCode } from '../one-time-code-store.ts';
import { ownOrigin } from '../origin.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { partnersOf } from '../user-store.ts';

/** Makes a link with which the partner can set a new password, and tells them. */
export function makeRecoveryLink({
  deps,
  tellOfRecovery,
}: AuthServices): Routes<typeof authCalls>['POST /api/auth/recovery'] {
  return async ({ request, session, now }) => {
    const { coupleId, userId } = session;
    const { code, usableAt, expiresAt } = await deps.db.write(async (tx) => {
      await assertSignedIn(tx, session);
      const forUser = (await partnersOf(tx, coupleId)).find((id) => id !== userId);
      if (forUser === undefined) throw new Refusal(409, 'You have no partner here yet.');
      await assertCanTellOfLink(deps, tx, { coupleId, userId: forUser });
      const kind = { kind: 'partnerRecovery', createdBy: userId, forUser } as const;
      const times = { delay: authLimits.partnerRecoveryDelay, lifetime: authLimits.partnerRecovery };
      const issued = await issueCode(tx, coupleId, { ...kind, ...times, bits: 128 }, now);
      const { id, expiresAt } = issued;
      await tellOfRecovery(tx, coupleId, { id, createdBy: userId, forUser, expiresAt }, now);
      await tellByMail(deps, tx, { coupleId, userId: forUser }, 'partnerRecovery', id);
      await announceCouple(deps, tx, coupleId, userId);
      return issued;
    });
    return {
      url: ownOrigin(deps.config, request) + paths.recover(code),
      usableAt: formatInstant(usableAt),
      expiresAt: formatInstant(expiresAt),
    };
  };
}
