import type { SignedIn } from '../../src/auth/contract.ts';
import { Caller, type Result } from './caller.ts';
import { Partner } from './partner.ts';

/** A server, with its printed lines if it may require a setup code. */
type Registering = { readonly url: string; readonly printed?: readonly string[] };

/** The setup code in the last printed line, or null. */
export function setupCodeOf({ printed = [] }: Pick<Registering, 'printed'>): string | null {
  return /^Setup code: (\S+)\n$/.exec(printed.at(-1) ?? '')?.[1] ?? null;
}

/** The password of every test user. */
export const PASSWORD = 'a quiet evening at home';

/** Registers a new couple: Ada, and Ben by her invitation. */
export async function registerCouple(app: Registering, timeZone = 'UTC'): Promise<{ ada: Partner; ben: Partner }> {
  // Tests may register several couples at the same time.
  const of = `-${crypto.randomUUID()}@example.org`;
  const ada = await registerAda(app, `ada${of}`, timeZone);
  return { ada, ben: await joinAsBen(app, ada, `ben${of}`) };
}

/** Registers Ada, without a partner. */
export async function registerAda(app: Registering, email = 'ada@example.org', timeZone = 'UTC'): Promise<Partner> {
  const setupCode = setupCodeOf(app);
  const body = { email, displayName: 'Ada', password: PASSWORD, timeZone, setupCode };
  return signedInAs(app, await new Caller(app.url).call('POST /api/auth/register', { body }), email);
}

/** Registers Ben by Ada's invitation. */
export async function joinAsBen(
  app: { readonly url: string },
  ada: Partner,
  email = 'ben@example.org',
): Promise<Partner> {
  const { body } = await ada.call('POST /api/auth/invitations');
  const join = { code: body.code, email, displayName: 'Ben', password: PASSWORD };
  return signedInAs(app, await new Caller(app.url).call('POST /api/auth/join', { body: join }), email);
}

function signedInAs(app: { readonly url: string }, result: Result<SignedIn>, email: string): Partner {
  if (result.status !== 201) throw new Error(`Could not register: ${result.status} ${JSON.stringify(result.body)}`);
  const cookie = (result.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  return new Partner(app.url, result.body, cookie, email, PASSWORD);
}
