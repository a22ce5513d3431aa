import type { CallName, Calls, Input, Reply } from '../call.ts';
import { fillPath, splitName } from '../call.ts';
import type { FieldError, Problem } from '../refusal.ts';

/** The server answered, and refused; or it could not be reached at all (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly FieldError[];
  /** Seconds after which the server asks to be tried again. */
  readonly retryAfter: number | null;
  /** The server's own sentence; null where it said none, and `message` is one of ours. */
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

/** What a call answered, with the headers that some callers want. */
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

/** Makes a contract's calls, each by its name: the body alone, or the whole answer by `.whole`. */
export interface Client<C extends Calls> {
  <N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<Reply<C[N]>>;
  whole<N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<Answered<Reply<C[N]>>>;
}

/**
 * The client of one slice's contract, whose type alone it is given: `const api = client<typeof ideaCalls>()`.
 * Calls throw ApiError; a 401 also signs the user out, save on the calls of signing in.
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
let reach: Reach = (path, init) => fetch(path, init);
let signedOut: () => void = () => undefined;

/** The token lives in this module's memory alone; a script that slips in finds no lasting secret (contract 2). */
export function setToken(next: string | null): void {
  token = next;
}

/** The way of a call to the server. */
export type Reach = (path: string, init: RequestInit) => Promise<Response>;

/** Says how calls reach the server: where the page is drawn, that is no way at all. */
export function reachBy(next: Reach): void {
  reach = next;
}

/** The headers that a call carries which is not made by this client: a stream of events, an upload with progress. */
export function authorization(): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** What happens when a call is answered 401: the session is over (spec 8). */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** To be told by whoever makes calls of their own that one was answered 401. */
export function reportSignedOut(): void {
  if (token === null) return;
  token = null;
  signedOut();
}

/** Calls whose 401 speaks of a password or of a missing cookie, not of a session that ended. */
const SIGNING_IN: ReadonlySet<CallName> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/renew',
  'POST /api/auth/join',
  'POST /api/auth/register',
]);

async function send(name: CallName, input: LooseInput = {}, options: CallOptions = {}): Promise<Answered<never>> {
  const { method, path } = splitName(name);
  const headers: Record<string, string> = { accept: 'application/json', ...authorization() };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (options.ifMatch) headers['if-match'] = options.ifMatch;
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
  const used = token;
  let response: Response;
  try {
    response = await reach(fillPath(path, input.params ?? {}) + search(input.query), {
      method,
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: options.signal ?? null,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'We could not reach our album. Please check the connection and try again.');
  }
  if (!response.ok) {
    // Of several calls under way when a session ends, only those of the present token speak of the present session.
    if (response.status === 401 && !SIGNING_IN.has(name) && used === token) reportSignedOut();
    throw await errorOf(response);
  }
  const body: unknown = response.status === 204 ? null : await response.json();
  return {
    body: body as never,
    status: response.status,
    etag: response.headers.get('etag'),
    headers: response.headers,
  };
}

/** The error that an answer tells; one without a problem body keeps its status and a plain sentence. */
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
