import { notFound, Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import type { AuthServices } from '../auth-services.ts';
import { tellByMail } from '../mail/tell-by-mail.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { readUser } from '../user-store.ts';
import { createPasskey, startPasskey, toPasskey } from './create-passkey.ts';
import { passkeySignIn, startPasskeySignIn } from './passkey-sign-in.ts';
import { deletePasskey, listPasskeys } from './passkey-store.ts';

/** Routes for passkeys: created in the settings, then another way to sign in (accounts.passkeys.1). User verification is required. */
export function passkeyRoutes(auth: AuthServices) {
  const { db } = auth.deps;
  return {
    'GET /api/auth/passkeys': async ({ session: { coupleId, userId } }) =>
      (await listPasskeys(db.read, coupleId, userId)).map(toPasskey),
    'POST /api/auth/passkeys/options': startPasskey(auth),
    'POST /api/auth/passkeys': createPasskey(auth),
    'DELETE /api/auth/passkeys/{id}': async ({ params: { id }, session }) => {
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        const removed = await deletePasskey(tx, session.coupleId, session.userId, id);
        if (!removed) throw notFound('Passkey');
        const { signIn } = await readUser(tx, auth.deps.config, session.coupleId, session.userId);
        if (!signIn.password && signIn.passkeys === 0 && !signIn.oidc) {
          throw new Refusal(409, 'This is your only way to sign in. Set a password first.');
        }
        await tellByMail(auth.deps, tx, session, 'removedPasskey', removed.name);
      });
      return null;
    },
    'POST /api/auth/passkeys/sign-in/options': startPasskeySignIn(auth),
    'POST /api/auth/passkeys/sign-in': passkeySignIn(auth),
  } satisfies Partial<Routes<typeof authCalls>>;
}
