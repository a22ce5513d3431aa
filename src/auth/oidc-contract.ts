import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { confirmation } from './confirmation.ts';

/** What a browser goes to the OpenID provider for. */
const OIDC_INTENTS = ['sign-in', 'register', 'join', 'connect', 'confirm'] as const;
export type OidcIntent = (typeof OIDC_INTENTS)[number];

/** Why the way back from the provider leads to nothing. The page says each in a sentence. */
export type OidcProblem =
  | 'expired'
  | 'refused'
  | 'invalid'
  | 'unreachable'
  | 'unavailable'
  | 'unknown'
  | 'elsewhere'
  | 'other'
  | 'ended'
  | 'suspended';

/**
 * The calls for an OpenID provider. All are 404 where the server has none.
 * @param signedIn the reply of every way to sign in
 * @param person the name, the e-mail and the time zone of a new user
 */
export function oidcCallsFor<S extends z.ZodType, P extends z.ZodRawShape>(signedIn: S, person: P) {
  return defineCalls({
    'POST /api/auth/oidc/start': {
      summary: 'The address of the OpenID provider at which to go on; `connect` and `confirm` need the session',
      access: 'public',
      body: z.object({
        intent: z.enum(OIDC_INTENTS, { error: `intent must be ${OIDC_INTENTS.join(', ')}` }),
        returnUrl: z.string().max(2000).nullish(),
        ...confirmation,
        /** Of an invitation, to join. */
        code: z.string().max(200).nullish(),
        setupCode: z.string().max(200).nullish(),
      }),
      reply: z.object({ url: z.string() }),
    },
    'GET /api/auth/oidc/callback': {
      summary: 'The way back from the OpenID provider, which redirects to a page',
      access: 'public',
      reply: null,
    },
    'GET /api/auth/oidc/finish': {
      summary: 'What the OpenID provider knows about the user who has come back to register or to join',
      access: 'public',
      reply: z.object({
        intent: z.enum(['register', 'join']),
        displayName: z.string().nullable(),
        email: z.string().nullable(),
      }),
    },
    'POST /api/auth/oidc/finish': {
      summary: 'Register or join with the identity with which the browser has come back',
      access: 'public',
      body: z.object(person),
      reply: signedIn,
      status: 201,
    },
    'DELETE /api/auth/oidc': {
      summary: 'Disconnect the OpenID provider; the user confirms it',
      body: z.object(confirmation),
      reply: null,
    },
  });
}
