import type { FastifyBaseLogger } from 'fastify';
import type { OidcConfig } from '../../../base/server/process/config.ts';
import type { OidcProblem } from '../../oidc-contract.ts';
import { loadOpenIdClient, type OpenId, openClient } from './openid-client.ts';

/** How old a sign-in at the provider may be that confirms something, in seconds. */
const FRESH = 300;

/** The secrets of one visit to the provider. The browser that brings back its answer has to know them. */
export interface VisitSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who has come back. Name and e-mail are what the provider says, and identify nobody. */
export interface Visitor {
  readonly issuer: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** Why a visit came to nothing. */
export class VisitFailed extends Error {
  override readonly name = 'VisitFailed';
  readonly problem: Extract<OidcProblem, 'refused' | 'invalid' | 'unreachable'>;

  constructor(problem: VisitFailed['problem'], cause: unknown) {
    super(`A visit to the OpenID provider came to nothing: ${problem}`, { cause });
    this.problem = problem;
  }
}

export interface Provider {
  readonly name: string;
  /**
   * The address at which a visit begins.
   * @param isFresh whether the user has to sign in at the provider even if they are signed in there
   * @throws VisitFailed
   */
  begin(secrets: VisitSecrets, isFresh: boolean): Promise<string>;
  /**
   * Verifies the answer that a browser brings back, and exchanges its code.
   * @param search the query of the address to which the browser came back
   * @throws VisitFailed
   */
  complete(search: string, secrets: VisitSecrets, isFresh: boolean): Promise<Visitor>;
}

/** Opens the OpenID provider of a configuration. The first visit discovers it; what it says of itself holds for an hour. */
export function openProvider(
  config: OidcConfig,
  publicUrl: string,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Provider {
  const redirectUri = `${publicUrl}/api/auth/oidc/callback`;
  const client = openClient(config, now);

  /** Runs a step of a visit. The log gets the library's code of a failure, and nothing that the provider has sent. */
  const attempt = async <T>(step: (openId: OpenId) => Promise<T>): Promise<T> => {
    const openId = await loadOpenIdClient();
    try {
      return await step(openId);
    } catch (error) {
      const failed = new VisitFailed(problemOf(openId, error), error);
      const { code } = error as { code?: unknown };
      log.warn({ problem: failed.problem, code: typeof code === 'string' ? code : null }, failed.message);
      throw failed;
    }
  };

  return {
    name: config.name,
    begin: ({ state, nonce, codeVerifier }, isFresh) =>
      attempt(async (openId) => {
        const configuration = await client.configure(openId);
        const address = openId.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state,
          nonce,
          code_challenge: await openId.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(isFresh && { prompt: 'login', max_age: String(FRESH) }),
        });
        return address.href;
      }),
    complete: (search, { state, nonce, codeVerifier }, isFresh) =>
      attempt(async (openId) => {
        const configuration = await client.configure(openId);
        const exchange = () =>
          openId.authorizationCodeGrant(configuration, new URL(redirectUri + search), {
            pkceCodeVerifier: codeVerifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true,
            ...(isFresh && { maxAge: FRESH }),
          });
        const tokens = await exchange().catch((error: unknown) => {
          if (!isUnknownClient(openId, error)) throw error;
          client.saySecretOtherwise();
          return exchange();
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('There is no ID token');
        // Some providers say the name only there.
        const more =
          claims.email === undefined || claims.name === undefined
            ? await openId.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => ({}))
            : {};
        const said: Readonly<Record<string, unknown>> = { ...more, ...claims };
        return {
          issuer: config.issuer,
          subject: claims.sub,
          displayName: textOf(said.name) ?? textOf(said.given_name) ?? textOf(said.preferred_username),
          email: textOf(said.email),
        };
      }),
  };
}

/** The provider doesn't take the secret as it was said, and so has not looked at the code. */
function isUnknownClient(openId: OpenId, error: unknown): boolean {
  if (error instanceof openId.WWWAuthenticateChallengeError) return true;
  return error instanceof openId.ResponseBodyError && error.error === 'invalid_client';
}

function problemOf(openId: OpenId, error: unknown): VisitFailed['problem'] {
  if (error instanceof openId.AuthorizationResponseError) return 'refused';
  const { code } = error as { code?: unknown };
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || error instanceof TypeError)
    return 'unreachable';
  return error instanceof openId.ClientError || error instanceof openId.ResponseBodyError ? 'invalid' : 'unreachable';
}

/** A text of the provider, shortened to what the form takes. */
function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim().slice(0, 254) : null;
}
