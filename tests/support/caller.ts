import type { contracts } from '../../src/app/server/slices.ts';
import { type CallName, fillPath, type Input, type Reply, splitName } from '../../src/base/call.ts';
import type { Problem } from '../../src/base/problem.ts';

type Union<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer U) => void ? U : never;
/** All calls of all slices, by name. */
export type AllCalls = Union<(typeof contracts)[keyof typeof contracts]>;

export interface Result<T> {
  readonly status: number;
  /** The reply, or null without a body. */
  readonly body: T;
  readonly headers: Headers;
  /** The same body, typed as a problem, for error statuses. */
  readonly problem: Problem;
}

/** What a call sends beside its input. */
export type CallOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: { type: string; body: BodyInit };
};

/** An API client, with or without a bearer token. */
export class Caller {
  readonly url: string;
  token: string | null;

  constructor(url: string, token: string | null = null) {
    this.url = url;
    this.token = token;
  }

  /** Makes a call with the types of its contract. `body` may be FormData for multipart calls. */
  async call<N extends keyof AllCalls & CallName>(
    name: N,
    ...[input, options]: Record<string, never> extends Input<N, AllCalls[N]>
      ? [Input<N, AllCalls[N]>?, CallOptions?]
      : [Input<N, AllCalls[N]>, CallOptions?]
  ): Promise<Result<Reply<AllCalls[N]>>> {
    return this.request(name, (input ?? {}) as UntypedInput, options) as Promise<Result<Reply<AllCalls[N]>>>;
  }

  /** Sends any request, even one without a contract. */
  async request(name: CallName, input: UntypedInput = {}, options: CallOptions = {}): Promise<Result<unknown>> {
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

/** The input of a call without the types of its contract. */
export type UntypedInput = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
};
