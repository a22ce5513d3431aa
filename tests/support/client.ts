import type { contracts } from '../../src/app/server/slices.ts';
import type { SignedIn, User } from '../../src/auth/contract.ts';
import type { Call, CallName, Calls, Input, Reply } from '../../src/base/call.ts';
import { fillPath, splitName } from '../../src/base/call.ts';
import type { Problem } from '../../src/base/refusal.ts';

type Union<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer U) => void ? U : never;
/** Every call of every slice, by its name. */
export type AllCalls = Union<(typeof contracts)[keyof typeof contracts]>;

export interface Result<T> {
  readonly status: number;
  /** The reply, or null without a body. */
  readonly body: T;
  readonly headers: Headers;
  /** The same body as a problem, where the status says that it is one. */
  readonly problem: Problem;
}

type Options = { readonly headers?: Readonly<Record<string, string>>; readonly raw?: { type: string; body: BodyInit } };

/** Somebody who makes calls: signed in, or not. */
export class Caller {
  readonly url: string;
  token: string | null;

  constructor(url: string, token: string | null = null) {
    this.url = url;
    this.token = token;
  }

  /** Makes a call as its contract has it. `body` may be FormData where the call is multipart. */
  async call<N extends keyof AllCalls & CallName>(
    name: N,
    ...[input, options]: Record<string, never> extends Input<N, AllCalls[N]>
      ? [Input<N, AllCalls[N]>?, Options?]
      : [Input<N, AllCalls[N]>, Options?]
  ): Promise<Result<Reply<AllCalls[N]>>> {
    return this.request(name, (input ?? {}) as Loose, options) as Promise<Result<Reply<AllCalls[N]>>>;
  }

  /** Makes any request, also one that no contract has. */
  async request(name: CallName, input: Loose = {}, options: Options = {}): Promise<Result<unknown>> {
    const { method, path } = splitName(name);
    const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]));
    const search = query.size > 0 ? `?${query}` : '';
    const headers: Record<string, string> = { ...options.headers };
    if (this.token !== null) headers.authorization ??= `Bearer ${this.token}`;
    let body: BodyInit | undefined = options.raw?.body;
    if (options.raw) headers['content-type'] = options.raw.type;
    else if (input.body instanceof FormData) body = input.body;
    else if (input.body !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(input.body);
    }
    const response = await fetch(this.url + fillPath(path, input.params ?? {}) + search, {
      method,
      headers,
      body,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = text === '' ? null : isJson ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, headers: response.headers, problem: parsed as Problem };
  }
}

type Loose = { readonly params?: Readonly<Record<string, string>>; readonly query?: object; readonly body?: unknown };

/** A partner, signed in: gets a new bearer token when the hour of the old one is over, as the page does. */
export class Partner extends Caller {
  readonly user: User;
  readonly email: string;
  readonly password: string;
  /** What the sign-in set: `name=value`. */
  readonly cookie: string;

  constructor(url: string, signedIn: SignedIn, cookie: string, email: string, password: string) {
    super(url, signedIn.token);
    this.user = signedIn.user;
    this.cookie = cookie;
    this.email = email;
    this.password = password;
  }

  /** Makes a call; where the token has expired, once more with a new one. */
  override async request(name: CallName, input: Loose = {}, options: Options = {}): Promise<Result<unknown>> {
    const result = await super.request(name, input, options);
    const isOwn = options.headers?.authorization === undefined;
    return result.status === 401 && isOwn && (await this.renew()) ? super.request(name, input, options) : result;
  }

  /** @returns whether there is a new token: not where the session is over */
  async renew(): Promise<boolean> {
    const headers = { cookie: this.cookie, origin: new URL(this.url).origin };
    const { status, body } = await new Caller(this.url).call('POST /api/auth/renew', {}, { headers });
    if (status === 200) this.token = body.token;
    return status === 200;
  }

  /** The same partner, who calls another server. */
  at({ url }: { readonly url: string }): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, { url });
  }
}

/** A server, with what it printed if it may ask for its setup code. */
type Registering = { readonly url: string; readonly printed?: readonly string[] };

/** The setup code that a server printed last; null where it printed none. */
export function setupCodeOf({ printed = [] }: Pick<Registering, 'printed'>): string | null {
  return /^Setup code: (\S+)\n$/.exec(printed.at(-1) ?? '')?.[1] ?? null;
}

const PASSWORD = 'a quiet evening at home';
let couples = 0;

/** A fresh couple: Ada, who registered, and Ben, who joined by her invitation. */
export async function registerCouple(app: Registering, timeZone = 'UTC'): Promise<{ ada: Partner; ben: Partner }> {
  couples += 1;
  const ada = await registerAda(app, `ada${couples}-${Date.now()}@example.org`, timeZone);
  return { ada, ben: await joinAsBen(app, ada, `ben${couples}-${Date.now()}@example.org`) };
}

/** One partner alone, who has not invited anybody. */
export async function registerAda(app: Registering, email = 'ada@example.org', timeZone = 'UTC'): Promise<Partner> {
  const setupCode = setupCodeOf(app);
  const body = { email, displayName: 'Ada', password: PASSWORD, timeZone, setupCode };
  return signedInAs(app, await new Caller(app.url).call('POST /api/auth/register', { body }), email);
}

/** The second partner, by the first one's invitation. */
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
  if (result.status !== 201) throw new Error(`Could not sign up: ${result.status} ${JSON.stringify(result.body)}`);
  const cookie = (result.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  return new Partner(app.url, result.body, cookie, email, PASSWORD);
}

/** For the contracts' own tests: every call's name with its call. */
export function namesOf(contract: Calls): readonly [CallName, Call][] {
  return Object.entries(contract) as [CallName, Call][];
}
