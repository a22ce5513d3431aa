import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { assertOwnOrigin } from '../origin.ts';
import { signedInReply, signInOn } from '../session/sessions.ts';
import { lockUser } from '../user-store.ts';
import { createChallenge, optionsReply, passkeyDomain, SIGN_IN } from './passkey-challenge.ts';
import { recordPasskeyUse } from './passkey-store.ts';
import { verifyAssertion } from './verify-assertion.ts';
import { loadWebAuthn } from './verify-with-webauthn.ts';

/** Starts to sign in with a passkey: returns the options for the browser. */
export function startPasskeySignIn(
  auth: AuthServices,
): Routes<typeof authCalls>['POST /api/auth/passkeys/sign-in/options'] {
  const { deps, rateLimits } = auth;
  return async ({ request, now }) => {
    assertOwnOrigin(deps.config, request);
    await rateLimits.count('challenge', request.ip, authLimits.challenges);
    const { generateAuthenticationOptions } = await loadWebAuthn();
    return optionsReply(
      await generateAuthenticationOptions({
        rpID: passkeyDomain(auth, request),
        challenge: await createChallenge(auth, SIGN_IN, now),
        userVerification: 'required',
      }),
    );
  };
}

/** Signs in with a passkey. */
export function passkeySignIn(auth: AuthServices): Routes<typeof authCalls>['POST /api/auth/passkeys/sign-in'] {
  const { deps } = auth;
  return {
    checkEarly: async ({ request }) => assertOwnOrigin(deps.config, request),
    handle: async ({ request, body, now }) => {
      const wrong = new Refusal(401, 'This passkey is not known here.');
      const { counter, used } = await verifyAssertion(auth, request, body, null, wrong);
      const { coupleId, userId } = used;
      const session = await deps.db.write(async (tx) => {
        // A concurrent recovery removes this passkey and ends all sessions. This sign-in commits before it, or fails.
        if (!(await lockUser(tx, coupleId, userId)) || !(await recordPasskeyUse(tx, used, counter, now))) throw wrong;
        return signInOn(deps, tx, { coupleId, userId }, request, now);
      });
      return signedInReply(deps, request, session);
    },
  };
}
