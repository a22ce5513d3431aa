import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import { recoveryLinkTime } from '../../recovery-link-time.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { endAllAccess } from '../end-access.ts';
import { readMailPerson } from '../mail/read-mail-person.ts';
import { aboutRemoved, tellByMail } from '../mail/tell-by-mail.ts';
import { redeemCode } from '../one-time-code-store.ts';
import { assertOwnOrigin } from '../origin.ts';
import { hashOfSecret } from '../secrets.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { getAccount, updatePassword } from '../user-store.ts';
import { findRecovery } from './recovery-store.ts';

/** Sets a new password by a link, which ends all access that the user had before. */
export function redeemRecoveryLink(auth: AuthServices): Routes<typeof authCalls>['POST /api/auth/recovery/{code}'] {
  const { deps, rateLimits, events } = auth;
  const { db, config } = deps;
  return {
    checkEarly: async ({ request, params }) => {
      assertOwnOrigin(config, request);
      await assertLinkWorks(auth, params.code, request.ip);
    },
    handle: async ({ params, body, now }) => {
      const codeHash = hashOfSecret(params.code);
      const passwordHash = await hashPassword(body.newPassword, deps.passwordCost);
      const account = await db.write(async (tx) => {
        const recovery = await findRecovery(tx, codeHash, now);
        if (recovery === null || !(await redeemCode(tx, recovery.coupleId, recovery.id, now))) throw invalidLink();
        const { coupleId, forUser, isMailed } = recovery;
        await updatePassword(tx, coupleId, forUser, passwordHash);
        // The user may have lost the device that holds the passkeys.
        const keepPasskeys = body.keepPasskeys === true;
        const removed = await endAllAccess(tx, coupleId, forUser, { keepPasskeys, isMailed, now });
        await tellByMail(deps, tx, { coupleId, userId: forUser }, 'newPassword', aboutRemoved(removed));
        const found = await getAccount(tx, coupleId, forUser);
        await announceCouple(deps, tx, coupleId, forUser);
        return found;
      });
      await rateLimits.clear(account.emailKey);
      events.end(account.id, { except: null });
      return null;
    },
  };
}

/** @throws Refusal 404, counted as a failed attempt of the address; 403 before the link works */
async function assertLinkWorks({ deps, rateLimits }: AuthServices, code: string, address: string): Promise<void> {
  const { db, now } = deps;
  const find = () => findRecovery(db.read, hashOfSecret(code), now());
  const { coupleId, forUser, usableAt } = await rateLimits.attempt({ address }, find, invalidLink());
  const wait = (usableAt ?? 0) - now();
  if (usableAt === null || wait <= 0) return;
  const reader = await readMailPerson(db.read, { coupleId, userId: forUser });
  if (reader === null) throw invalidLink();
  throw new Refusal(403, `This link works from ${recoveryLinkTime(usableAt, reader.timeZone, reader.formats)}.`, {
    retryAfter: Math.ceil(wait / 1000),
  });
}

function invalidLink(): Refusal {
  return new Refusal(404, 'This link is invalid, used or expired. Ask for a new one.');
}
