import { Refusal } from '../../../base/refusal.ts';
import type { RouteSteps } from '../../../base/server/calls/route.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { type CodeRow, deleteCodes, findValidCode, redeemCode } from '../code-store.ts';
import { stopRecoveries } from '../recovery/recovery-store.ts';
import { hashOfSecret } from '../secrets.ts';
import type { AuthServices } from '../session/sessions.ts';
import { announceCouple } from '../settings/profile-routes.ts';
import { getAccount, lockUser, setVerifiedEmail } from '../store.ts';

type Handle<N extends keyof typeof authCalls> = RouteSteps<N, (typeof authCalls)[N]>['handle'];

/** Confirms the address to which a link was mailed, if it is still the user's. */
export function confirmEmail(auth: AuthServices): Handle<'POST /api/auth/email/{code}'> {
  const { deps } = auth;
  return async ({ request, params, now }) => {
    const found = await findCode(auth, 'email', params.code, request.ip);
    await deps.db.write(async (tx) => {
      const { coupleId, forUser: userId } = found;
      await lockUser(tx, coupleId, userId);
      const { emailKey: current } = await getAccount(tx, coupleId, userId);
      if (found.address === null || emailKey(found.address) !== current) throw invalidLink();
      if (!(await redeemCode(tx, coupleId, found.id, now))) throw invalidLink();
      await setVerifiedEmail(tx, coupleId, userId, found.address);
      await announceCouple(deps, tx, coupleId, userId);
    });
    return null;
  };
}

/** Stops the links for a new password that the partners have made for each other. */
export function stopRecovery(auth: AuthServices): Handle<'DELETE /api/auth/recovery/{stopCode}'> {
  const { deps } = auth;
  return async ({ request, params, now }) => {
    const { coupleId, forUser: userId } = await findCode(auth, 'stopRecovery', params.stopCode, request.ip);
    await deps.db.write(async (tx) => {
      await lockUser(tx, coupleId, userId);
      if (!(await stopRecoveries(tx, coupleId, now))) throw invalidLink();
      await deleteCodes(tx, coupleId, { kind: 'stopRecovery', forUser: userId });
      await announceCouple(deps, tx, coupleId, userId);
    });
    return null;
  };
}

type OwnCode = CodeRow & { readonly forUser: NonNullable<CodeRow['forUser']> };

/** @throws Refusal 404, counted as a failed attempt of the address */
function findCode(
  { deps: { db, now }, rateLimits }: AuthServices,
  kind: 'email' | 'stopRecovery',
  code: string,
  address: string,
): Promise<OwnCode> {
  const find = async () => {
    const found = await findValidCode(db.read, kind, hashOfSecret(code), now());
    return found && found.forUser !== null ? { ...found, forUser: found.forUser } : null;
  };
  return rateLimits.attempt({ address }, find, invalidLink());
}

function invalidLink(): Refusal {
  return new Refusal(404, 'This link is invalid, used or expired.');
}
