import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

/** What a browser is asked to do: WebAuthn's own shape, whose challenge is what we look at again. */
const ceremony = z.looseObject({ challenge: z.string() });

/** What a browser answers, base64url in JSON (WebAuthn); the library judges it. */
const credential = {
  id: z.string().max(2000),
  rawId: z.string().max(2000),
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

/** Passkeys, a second way to sign in (issue 6). `signedIn` is what every way of signing in answers. */
export function passkeyCallsFor<S extends z.ZodType>(signedIn: S) {
  return calls({
    'GET /api/auth/passkeys': { summary: "The user's passkeys", reply: z.array(passkey) },
    'POST /api/auth/passkeys/options': { summary: 'What a browser needs to make a passkey', reply: ceremony },
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
