import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

/** WebAuthn options for the browser. The server only reads the challenge back. */
const webAuthnOptions = z.looseObject({ challenge: z.string() });

/** A credential's id. The WebAuthn library verifies the other parts of a response. */
const credentialId = z.string().regex(/^[\w-]*={0,2}$/, { error: 'Not valid base64url' });
const credential = {
  id: credentialId.max(2000),
  rawId: credentialId.max(2000),
  type: z.literal('public-key'),
};
const createdCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
/** A passkey's answer to a challenge, with which it signs in or confirms. */
export const assertedCredential = z.object({
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
  /** The device that created it: 'Chrome on Android'. */
  name: z.string(),
  createdAt: instantOut,
  lastUsedAt: instantOut.nullable(),
});

export type Passkey = z.output<typeof passkey>;
export type CreatedCredential = z.output<typeof createdCredential>;
export type AssertedCredential = z.output<typeof assertedCredential>;

/**
 * The calls for passkeys, another way to sign in.
 * @param signedIn the reply of every way to sign in
 * @param confirmation the fields by which the user confirms an action
 */
export function passkeyCallsFor<S extends z.ZodType, F extends z.ZodRawShape>(signedIn: S, confirmation: F) {
  return defineCalls({
    'GET /api/auth/passkeys': { summary: "List the user's passkeys", reply: z.array(passkey) },
    'POST /api/auth/passkeys/options': {
      summary: 'Options to create a passkey; the user confirms it',
      body: z.object(confirmation),
      reply: webAuthnOptions,
    },
    'POST /api/auth/passkeys': {
      summary: 'Save a newly created passkey',
      body: createdCredential,
      reply: passkey,
      status: 201,
    },
    'DELETE /api/auth/passkeys/{id}': { summary: 'Remove a passkey', reply: null },
    'POST /api/auth/passkeys/sign-in/options': {
      summary: 'Options to sign in with a passkey',
      access: 'public',
      reply: webAuthnOptions,
    },
    'POST /api/auth/passkeys/sign-in': {
      summary: 'Sign in with a passkey',
      access: 'public',
      body: assertedCredential,
      reply: signedIn,
    },
  });
}
