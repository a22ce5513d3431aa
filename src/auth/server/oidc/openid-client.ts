import { HOUR } from '../../../base/durations.ts';
import { isLoopback } from '../../../base/loopback.ts';
import type { OidcConfig } from '../../../base/server/process/config.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Loaded when somebody first goes to the provider. */
export const loadOpenIdClient = () => import('./openid-library.ts');

export type OpenId = Awaited<ReturnType<typeof loadOpenIdClient>>;
type Configuration = Awaited<ReturnType<OpenId['discovery']>>;

/** How long the provider may take for an answer, and by how much its clock may differ, in seconds. */
const TIMEOUT = 10;
const CLOCK_TOLERANCE = 60;

/** This server as a client of the provider. */
interface Client {
  /** Discovers the provider. What it says of itself holds for an hour. */
  configure(openId: OpenId): Promise<Configuration>;
  /** From now on says the client's secret in the other place: providers differ in where they expect it. */
  saySecretOtherwise(): void;
}

export function openClient({ issuer, clientId, clientSecret }: OidcConfig, now: () => number): Client {
  let discovered: { readonly configuration: Promise<Configuration>; readonly until: number } | null = null;
  /** How the client says its secret: as most providers expect it, or as this one does. */
  let secretIn: 'header' | 'body' = 'header';

  const discover = async (openId: OpenId): Promise<Configuration> => {
    const authenticate: ReturnType<typeof openId.None> = (...request) => {
      if (clientSecret === null) return openId.None()(...request);
      const say = secretIn === 'header' ? openId.ClientSecretBasic : openId.ClientSecretPost;
      return say(clientSecret)(...request);
    };
    const execute = [openId.enableNonRepudiationChecks];
    if (isLoopback(new URL(issuer).hostname)) execute.push(openId.allowInsecureRequests);
    return openId.discovery(new URL(issuer), clientId, { [openId.clockTolerance]: CLOCK_TOLERANCE }, authenticate, {
      execute,
      timeout: TIMEOUT,
      [openId.customFetch]: boundedFetch as typeof fetch,
    });
  };

  return {
    configure: (openId) => {
      if (discovered === null || discovered.until <= now()) {
        discovered = { configuration: discover(openId), until: now() + HOUR };
        // The next visit tries again.
        discovered.configuration.catch(() => {
          discovered = null;
        });
      }
      return discovered.configuration;
    },
    saySecretOtherwise: () => {
      secretIn = secretIn === 'header' ? 'body' : 'header';
    },
  };
}
