import type { Handle } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { redeemCode } from '../one-time-code-store.ts';
import { getAccount, lockUser, setVerifiedEmail } from '../user-store.ts';
import { findMailedCode, invalidMailedLink } from './find-mailed-code.ts';

/** Confirms the address to which a link was mailed, if it is still the user's. */
export function confirmEmail(auth: AuthServices): Handle<typeof authCalls, 'POST /api/auth/email/{code}'> {
  const { deps } = auth;
  return async ({ request, params, now }) => {
    const found = await findMailedCode(auth, 'email', params.code, request.ip);
    await deps.db.write(async (tx) => {
      const { coupleId, forUser: userId } = found;
      await lockUser(tx, coupleId, userId);
      const { emailKey: current } = await getAccount(tx, coupleId, userId);
      if (found.address === null || emailKey(found.address) !== current) throw invalidMailedLink();
      if (!(await redeemCode(tx, coupleId, found.id, now))) throw invalidMailedLink();
      await setVerifiedEmail(tx, coupleId, userId, found.address);
      await announceCouple(deps, tx, coupleId, userId);
    });
    return null;
  };
}
