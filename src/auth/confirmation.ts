import { z } from 'zod';
import { assertedCredential } from './passkey-contract.ts';
import { passwordAsTyped } from './password-as-typed.ts';

/**
 * The fields of a body by which a user confirms an action, one of the three: the password, an assertion made with the
 * sign-in options, or what `POST /api/auth/oidc/start` with the intent `confirm` has brought back.
 */
export const confirmation = {
  currentPassword: passwordAsTyped('Current password').nullish(),
  passkey: assertedCredential.nullish(),
  oidcProof: z.string().max(100).nullish(),
};

export type Confirmation = z.output<z.ZodObject<typeof confirmation>>;

/** The same fields as a page gives them. */
export type GivenConfirmation = z.input<z.ZodObject<typeof confirmation>>;
