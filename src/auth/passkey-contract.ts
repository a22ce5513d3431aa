import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

/** What a browser is asked to do: WebAuthn's own shape, whose challenge is what we look at again. */
const ceremony = z.looseObject({ challenge: z.string() });

/** What a browser answers, base64url in JSON (WebAuthn); the library judges it. */
const base64url = z.string().regex(/^[\w-]*={0,2}$/, { error: 'This is not base64url' });
const credential = {
  id: base64url.max(2000),
  rawId: base64url.max(2000),
  type: z.literal('public-key'),
};
const created = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
const asserted = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().nullish(),
  }),
});

const passkey = z.object({
  id: idOut,
  /** The device on which it was made: 'Chrome on Android'. */
  name: z.string(),
  createdAt: instantOut,
  lastUsedAt: instantOut.nullable(),
});

export type Passkey = z.output<typeof passkey>;
export type CreatedCredential = z.output<typeof created>;
export type AssertedCredential = z.output<typeof asserted>;

/**
 * Passkeys, a second way to sign in (issue 6).
 * @param signedIn what every way of signing in answers
 * @param password a password as it is typed
 */
export function passkeyCallsFor<S extends z.ZodType, P extends z.ZodType<string>>(signedIn: S, password: P) {
  return calls({
    'GET /api/auth/passkeys': { summary: "The user's passkeys", reply: z.array(passkey) },
    'POST /api/auth/passkeys/options': {
      summary: 'What a browser needs to make a passkey; asks for the password, or an answer of an existing passkey',
      body: z.object({
        currentPassword: password.nullish(),
        /** The answer to the options of a sign-in. */
        passkey: asserted.nullish(),
      }),
      reply: ceremony,
    },
    'POST /api/auth/passkeys': {
      summary: 'Keep a passkey that was just made',
      body: created,
      reply: passkey,
      status: 201,
    },
    'DELETE /api/auth/passkeys/{id}': { summary: 'Remove a passkey', reply: null },
    'POST /api/auth/passkeys/sign-in/options': {
      summary: 'What a browser needs to sign in with a passkey',
      access: 'public',
      reply: ceremony,
    },
    'POST /api/auth/passkeys/sign-in': {
      summary: 'Sign in with a passkey',
      access: 'public',
      body: asserted,
      reply: signedIn,
    },
  });
}
