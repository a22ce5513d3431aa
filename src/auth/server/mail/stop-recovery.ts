import type { Handle } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { deleteCodes } from '../one-time-code-store.ts';
import { stopRecoveries } from '../recovery/recovery-store.ts';
import { lockUser } from '../user-store.ts';
import { findMailedCode, invalidMailedLink } from './find-mailed-code.ts';

/** Stops the links for a new password that the partners have made for each other. */
export function stopRecovery(auth: AuthServices): Handle<typeof authCalls, 'DELETE /api/auth/recovery/{stopCode}'> {
  const { deps } = auth;
  return async ({ request, params, now }) => {
    const { coupleId, forUser: userId } = await findMailedCode(auth, 'stopRecovery', params.stopCode, request.ip);
    await deps.db.write(async (tx) => {
      await lockUser(tx, coupleId, userId);
      if (!(await stopRecoveries(tx, coupleId, now))) throw invalidMailedLink();
      await deleteCodes(tx, coupleId, { kind: 'stopRecovery', forUser: userId });
      await announceCouple(deps, tx, coupleId, userId);
    });
    return null;
  };
}
