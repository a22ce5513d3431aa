import type { z } from 'zod';

/** A call's name: its method and path. It is written once, in its contract, and the compiler checks all uses. */
export type CallName = `${Method} /${string}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'PATCH' | 'OPTIONS';

/**
 * An API call as plain data. The server's route, its validation, the OpenAPI page, the typed client and the test of
 * foreign ids are derived from it.
 */
export interface Call {
  /** One sentence for the OpenAPI page. */
  readonly summary: string;
  /**
   * Who may call it: anyone; the holder of a bearer token (the default), with `signOut` also while the space is suspended;
   * or also the holder of the session cookie, which is valid only for photos, because an `<img>` can't send headers.
   */
  readonly access?: 'public' | 'session' | 'signOut' | 'photo' | 'renew';
  /** The query parameters. They arrive as text; the schema converts them. */
  readonly query?: z.ZodObject;
  /** The JSON body. Unknown fields are ignored. */
  readonly body?: z.ZodType;
  /** The fields of a multipart body. The handler reads the stream. */
  readonly multipart?: readonly string[];
  /**
   * A call of tus, the protocol of resumable uploads; the handler reads headers and stream. `metadata` lists the keys
   * of Upload-Metadata; `takesPart` says that the body is a part of a file.
   */
  readonly tus?: { readonly metadata?: readonly string[]; readonly takesPart?: true };
  /** The body of a success; null for none (204). A nullable schema answers 204 for null. */
  readonly reply: z.ZodType | null;
  /** The status of a success, if it isn't 200 (with a body) or 204 (without). */
  readonly status?: 201;
  /** The content type of the reply, if it isn't JSON. */
  readonly produces?: 'image/*' | 'text/event-stream' | 'application/zip' | 'text/calendar';
  /** Aliases for the first clients. */
  readonly also?: readonly CallName[];
  /** It creates an entity and accepts an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** It changes an entity with an `ETag` and accepts `If-Match`. */
  readonly versioned?: true;
}

export type Calls = Readonly<Record<CallName, Call>>;

/** Preserves a contract's literal types, so that the compiler knows names, inputs and replies. */
export function defineCalls<const C extends Calls>(contract: C): C {
  return contract;
}

/** The parameters of a path: `'id'` in `GET /api/DateIdeas/{id}`. */
export type ParamNames<N extends string> = N extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamNames<Rest>
  : never;

export type Params<N extends string> = { readonly [P in ParamNames<N>]: string };

type Field<K extends string, V> = [V] extends [never] ? { readonly [P in K]?: never } : { readonly [P in K]: V };
type QueryInput<C> = C extends { query: z.ZodObject } ? z.input<C['query']> : never;
type BodyInput<C> = C extends { body: z.ZodType }
  ? z.input<C['body']>
  : C extends { multipart: readonly string[] }
    ? unknown
    : never;

/** The input of a call: params (if the path has any), query and body, typed by the contract. */
export type Input<N extends string, C> = ([ParamNames<N>] extends [never] ? unknown : { readonly params: Params<N> }) &
  (C extends { query: z.ZodObject } ? { readonly query?: QueryInput<C> } : unknown) &
  Field<'body', BodyInput<C>>;

/** The result of a call: the type of its reply, or null for 204. */
export type Reply<C> = C extends { reply: infer R } ? (R extends z.ZodType ? z.output<R> : null) : never;

/** Splits a call's name into method and path. */
export function splitName(name: CallName): { method: Method; path: string } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space) as Method, path: name.slice(space + 1) };
}

/** Fills in a path's params, URL-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
