import type { CallName, Calls, Input, Reply } from '../../call.ts';
import { fillPath, splitName } from '../../call.ts';
import { authorized } from './access-token.ts';
import { readApiError, unreachableError } from './api-error.ts';

/** A response with its status and headers. */
export interface ApiResponse<T> {
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
export interface ApiClient<C extends Calls> {
  <N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<Reply<C[N]>>;
  whole<N extends keyof C & CallName>(name: N, ...rest: Arguments<N, C[N]>): Promise<ApiResponse<Reply<C[N]>>>;
}

/**
 * Creates the client of a slice's contract from its type: `const api = createClient<typeof ideaCalls>()`. Calls throw ApiError.
 * A 401 that a new token doesn't fix also signs the user out, except for the sign-in calls.
 */
export function createClient<C extends Calls>(): ApiClient<C> {
  const whole = (name: CallName, input?: LooseInput, options?: CallOptions) => send(name, input, options);
  const body = async (name: CallName, input?: LooseInput, options?: CallOptions) =>
    (await send(name, input, options)).body;
  return Object.assign(body, { whole }) as unknown as ApiClient<C>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
}

/** How long a call may take, in milliseconds. A server that vanishes while a connection is open never answers. */
const TIMEOUT_MS = 60_000;

/** Calls whose 401 means a wrong password or a missing cookie, not that the session ended. */
const SIGNING_IN: ReadonlySet<CallName> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/renew',
  'POST /api/auth/join',
  'POST /api/auth/register',
]);

async function send(name: CallName, input: LooseInput = {}, options: CallOptions = {}): Promise<ApiResponse<never>> {
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
    throw options.signal?.aborted ? error : unreachableError();
  }
  if (!response.ok) throw await readApiError(response);
  const body: unknown = response.status === 204 ? null : await response.json();
  return {
    body: body as never,
    status: response.status,
    etag: response.headers.get('etag'),
    headers: response.headers,
  };
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

function search(query: Query | undefined): string {
  const given = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
