import type { CallName, Calls, Input, Reply } from '../../call.ts';
import { fillPath, splitName } from '../../call.ts';
import type { FieldError, Problem } from '../../refusal.ts';

/** An error response, or a network error (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly FieldError[];
  /** The server's `Retry-After` in seconds. */
  readonly retryAfter: number | null;
  /** The server's message; null if it sent none and `message` is the client's own text. */
  readonly said: string | null;

  constructor(
    status: number,
    message: string,
    errors: readonly FieldError[] = [],
    retryAfter: number | null = null,
    said: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.said = said;
  }
}

/** A response with its status and headers. */
export interface Answered<T> {
  readonly body: T;
  readonly status: number;
  readonly etag: string | null;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly ifMatch?: string | null;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type Arguments<N extends string, C> =
  Record<string, never> extends Input<N, C>
    ? [input?: Input<N, C>, options?: CallOptions]
    : [input: Input<N, C>, options?: CallOptions];

/** Makes a contract's calls by name. It returns the body, or with `.whole` the whole response. */
export interface Client<C extends Calls> {
  <N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<Reply<C[N]>>;
  whole<N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<Answered<Reply<C[N]>>>;
}

/**
 * Creates the client of a slice's contract from its type: `const api = client<typeof ideaCalls>()`. Calls throw ApiError.
 * A 401 that a new token doesn't fix also signs the user out, except for the sign-in calls.
 */
export function client<C extends Calls>(): Client<C> {
  const whole = (name: CallName, input?: LooseInput, options?: CallOptions) => send(name, input, options);
  const body = async (name: CallName, input?: LooseInput, options?: CallOptions) =>
    (await send(name, input, options)).body;
  return Object.assign(body, { whole }) as unknown as Client<C>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
}

let token: string | null = null;
/** When the page got the token, in milliseconds. */
let since = 0;
let signedOut: () => void = () => undefined;
let renew: () => Promise<void> = async () => undefined;
let isSignedIn: () => boolean = () => false;

/** Sets the bearer token. It is only in memory, so that an injected script finds no lasting secret. */
export function setToken(next: string | null): void {
  token = next;
  since = Date.now();
}

/**
 * Sets the function that renews the token. It calls `setToken`, or leaves the token unchanged if it fails.
 * @param signedIn whether a user is signed in. A page that opened while the server was away then has no token yet.
 */
export function renewBy(next: () => Promise<void>, signedIn: () => boolean): void {
  renew = next;
  isSignedIn = signedIn;
}

/** A token is valid for an hour. Calls renew one that is older than this, for example after the device slept. */
const FRESH_MS = 50 * 60_000;

/** Renews the token if it is about to expire, and gets one for a page that shows what was last seen. */
export async function freshen(): Promise<void> {
  if (token === null ? isSignedIn() : Date.now() - since > FRESH_MS) await renew();
}

/**
 * Makes a call with the token. After a 401 it renews the token and retries once; a second 401 signs the user out.
 * @throws ApiError if the server can't be reached to renew the token, and the errors of `ask`
 */
export async function authorized<T extends { readonly status: number }>(
  ask: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  await freshen();
  const used = token;
  if (used === null && isSignedIn()) throw unreachable();
  const answer = await ask(authorization());
  if (answer.status !== 401 || used === null) return answer;
  // Of several calls with a 401, only the first one renews the token.
  if (token === used) await renew();
  if (token === used) throw unreachable();
  if (token === null) return answer;
  const fresh = token;
  const second = await ask(authorization());
  if (second.status === 401 && token === fresh) {
    token = null;
    signedOut();
  }
  return second;
}

/** How long a call may take, in milliseconds. A server that vanishes while a connection is open never answers. */
const TIMEOUT_MS = 60_000;

function unreachable(): ApiError {
  return new ApiError(0, 'We could not reach our album. Please check the connection and try again.');
}

/** Returns the Authorization header, for requests outside this client. */
export function authorization(): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Sets the callback for the end of the session. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Calls whose 401 means a wrong password or a missing cookie, not that the session ended. */
const SIGNING_IN: ReadonlySet<CallName> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/renew',
  'POST /api/auth/join',
  'POST /api/auth/register',
]);

async function send(name: CallName, input: LooseInput = {}, options: CallOptions = {}): Promise<Answered<never>> {
  const { method, path } = splitName(name);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (options.ifMatch) headers['if-match'] = options.ifMatch;
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
  const ask = (authorization: Readonly<Record<string, string>>) =>
    fetch(fillPath(path, input.params ?? {}) + search(input.query), {
      method,
      headers: { ...headers, ...authorization },
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: options.signal ?? AbortSignal.timeout(TIMEOUT_MS),
    });
  let response: Response;
  try {
    response = await (SIGNING_IN.has(name) ? ask({}) : authorized(ask));
  } catch (error) {
    throw options.signal?.aborted ? error : unreachable();
  }
  if (!response.ok) throw await errorOf(response);
  const body: unknown = response.status === 204 ? null : await response.json();
  return {
    body: body as never,
    status: response.status,
    etag: response.headers.get('etag'),
    headers: response.headers,
  };
}

/**
 * Whether an answer is an entity of ours. Something between here and the server may answer with success too, such as a
 * proxy, and what is saved is deleted on this device.
 */
export function hasId(answer: unknown): boolean {
  return typeof (answer as { readonly id?: unknown } | null)?.id === 'string';
}

/** Returns the answer to a write. Throws an ApiError with status 0 if it is no entity of ours. */
export function asSaved<T>(answer: T): T {
  if (!hasId(answer)) throw unreachable();
  return answer;
}

/** Reads the error of a response. Without a problem body it gets a generic message. */
export async function errorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    problem.message ?? 'Something went wrong. Please try again.',
    problem.errors ?? [],
    Number.isFinite(retryAfter) ? retryAfter : null,
    problem.message ?? null,
  );
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

function search(query: Query | undefined): string {
  const given = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
