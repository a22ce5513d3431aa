import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import { StreamAnswer } from '../../../base/server/calls/answer.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { isUniqueViolation } from '../../../base/server/db/faults.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import type { OidcProblem } from '../../oidc-contract.ts';
import { announceCouple } from '../announce-couple.ts';
import { oidcProofPurpose } from '../confirm-user.ts';
import { tellByMail } from '../mail/tell-by-mail.ts';
import { insertChallenge } from '../passkeys/passkey-store.ts';
import { hashOfSecret } from '../secrets.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { assertSignedIn, signInOn } from '../session/sessions.ts';
import { lockUser } from '../user-store.ts';
import { browserCookie, browserSecret, secretsOfVisit } from './browser-cookie.ts';
import { findByIdentity, findConnection, saveConnection } from './connection-store.ts';
import type { OidcServices } from './oidc-routes.ts';
import { VisitFailed, type Visitor } from './open-provider.ts';
import { type Purpose, saveArrival, takeStart } from './visit-store.ts';

/** A return that signs nobody in and connects nothing, with the reason for the page. */
class ReturnFailed extends Error {
  override readonly name = 'ReturnFailed';
  readonly problem: OidcProblem;

  constructor(problem: OidcProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * The way back from the OpenID provider. Whatever happens, it leads to a page of ours (decision 54): a path of this app,
 * or `/auth/oidc` with what went wrong. A state counts once, and only in the browser that has begun with it.
 */
export function returnFromProvider(services: OidcServices): Routes<typeof authCalls>['GET /api/auth/oidc/callback'] {
  const { deps } = services;
  return {
    checkEarly: async () => services.provider(),
    handle: async ({ request, now }) => {
      try {
        const { search, searchParams } = new URL(request.url, 'https://base.invalid');
        const [state, browser] = [searchParams.get('state'), browserSecret(deps, request)];
        if (state === null || browser === null) throw new ReturnFailed('expired');
        const [stateHash, browserHash] = [hashOfSecret(state), hashOfSecret(browser)];
        const purpose = await deps.db.write((tx) => takeStart(tx, stateHash, browserHash, now));
        if (purpose === null) throw new ReturnFailed('expired');
        const isFresh = purpose.intent === 'confirm';
        const visitor = await services.provider().complete(search, secretsOfVisit(browser, state), isFresh);
        return await arrive(services, request, { purpose, visitor, browser }, now);
      } catch (error) {
        const problem = problemOf(error);
        if (problem === 'unavailable') request.log.error({ err: error }, 'a way back from the OpenID provider failed');
        return redirect(`${paths.oidc}?problem=${problem}`);
      }
    },
  };
}

/** A verified visitor, in the browser that went for a purpose. */
interface Arriving {
  readonly purpose: Purpose;
  readonly visitor: Visitor;
  readonly browser: string;
}

async function arrive(
  services: OidcServices,
  request: FastifyRequest,
  { purpose, visitor, browser }: Arriving,
  now: number,
): Promise<StreamAnswer> {
  const { deps } = services;
  const { db } = deps;
  const { intent, returnUrl, session } = purpose;
  if (intent === 'sign-in') {
    const issued = await db.write((tx) => signIn(deps, tx, request, { visitor, purpose }, now));
    const query = new URLSearchParams({ returnUrl });
    return redirect(`${paths.oidc}?${query.toString()}`, issued.cookie && sessionCookie(deps, request, issued.cookie));
  }
  if (session === null) {
    if (await findByIdentity(db.read, visitor)) throw new ReturnFailed('elsewhere');
    await db.write((tx) => saveArrival(tx, { ...visitor, purpose, browserHash: hashOfSecret(browser) }, now));
    return redirect(paths.oidc, browserCookie(deps, request, browser));
  }
  if (intent === 'connect') {
    await db.write((tx) => connect(services, tx, session, visitor, now));
    const query = new URLSearchParams({ connected: 'true', returnUrl });
    return redirect(`${paths.oidc}?${query.toString()}`);
  }
  const proof = await db.write(async (tx) => {
    await assertSignedIn(tx, session);
    const own = await findConnection(tx, session.coupleId, session.userId);
    if (own?.issuer !== visitor.issuer || own.subject !== visitor.subject) throw new ReturnFailed('other');
    return insertChallenge(tx, oidcProofPurpose(session), now);
  });
  return redirect(`${returnUrl.replace(/#.*/, '')}#oidcProof=${proof}`);
}

/** Signs in the account to which an identity is connected, and no other. */
async function signIn(
  deps: Deps,
  tx: Writer,
  request: FastifyRequest,
  { visitor, purpose }: Pick<Arriving, 'visitor' | 'purpose'>,
  now: number,
) {
  const found = await findByIdentity(tx, visitor);
  if (found === undefined) throw new ReturnFailed('unknown');
  const { coupleId, userId } = found;
  // A concurrent recovery removes the connection and ends all sessions. This sign-in commits before it, or fails.
  if (!(await lockUser(tx, coupleId, userId)) || !(await findByIdentity(tx, visitor)))
    throw new ReturnFailed('unknown');
  return signInOn(deps, tx, { coupleId, userId }, request, now, purpose.earlierUser);
}

async function connect(
  { deps, provider }: OidcServices,
  tx: Writer,
  session: Session,
  visitor: Visitor,
  now: number,
): Promise<void> {
  const { coupleId, userId } = session;
  await assertSignedIn(tx, session);
  await saveConnection(tx, coupleId, userId, visitor, now);
  await tellByMail(deps, tx, session, 'newProvider', provider().name);
  await announceCouple(deps, tx, coupleId, userId);
}

function redirect(location: string, cookie: string | null = null): StreamAnswer {
  const headers = { location, 'cache-control': 'no-store', ...(cookie !== null && { 'set-cookie': cookie }) };
  return new StreamAnswer(null, 303, headers);
}

/** What went wrong, as the page says it. What no other sentence explains is `unavailable`, such as a database out of reach. */
function problemOf(error: unknown): OidcProblem {
  if (error instanceof ReturnFailed || error instanceof VisitFailed) return error.problem;
  if (isUniqueViolation(error)) return 'elsewhere';
  if (error instanceof Refusal && error.status === 401) return 'ended';
  if (error instanceof Refusal && error.type === 'suspended') return 'suspended';
  return 'unavailable';
}
