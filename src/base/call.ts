import type { z } from 'zod';

/** A call's name is its method and path: it is typed here once, and everywhere else the compiler checks it. */
export type CallName = `${Method} /${string}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'PATCH' | 'OPTIONS';

/**
 * One call of the wire, as plain data. The server's route, its validation, its OpenAPI page, the typed client and
 * the matrix of foreign ids all come from it.
 */
export interface Call {
  /** One sentence for the OpenAPI page. */
  readonly summary: string;
  /**
   * Who may make it: anybody; the holder of a bearer token (the default); or also the holder of the session cookie,
   * which is good for photographs alone, since an `<img>` can send no header (contract 2).
   */
  readonly access?: 'public' | 'session' | 'photo' | 'renew';
  /** What the query may hold. Values arrive as text; the schema turns them into what the handler reads. */
  readonly query?: z.ZodObject;
  /** The JSON body. Unknown fields are ignored (contract 1). */
  readonly body?: z.ZodType;
  /** The body comes as multipart form data; the handler reads the stream itself. */
  readonly multipart?: readonly string[];
  /**
   * It speaks tus, the protocol of uploads in pieces: the handler reads headers and stream itself. What the header
   * Upload-Metadata may hold is named here, and whether the body is a piece of a file.
   */
  readonly tus?: { readonly metadata?: readonly string[]; readonly takesPiece?: true };
  /** What a success answers; null where it answers nothing (204). A nullable schema answers 204 for null. */
  readonly reply: z.ZodType | null;
  /** The status of a success: 200 with a reply, 204 without, unless it says 201 here. */
  readonly status?: 201;
  /** What is answered where it is not JSON. */
  readonly produces?: 'image/*' | 'text/event-stream' | 'application/zip' | 'text/calendar';
  /** Other names by which the first clients know it (contract 2: `/api/Auth/login`, `/auth/login`). */
  readonly also?: readonly CallName[];
  /** It creates, and may carry an `Idempotency-Key` (contract 1, Retrying). */
  readonly idempotent?: true;
  /** It changes a thing that has an `ETag`, and may carry `If-Match` (contract 1, Editing by two people). */
  readonly versioned?: true;
}

export type Calls = Readonly<Record<CallName, Call>>;

/** Keeps a contract's literal types, so that names, inputs and replies are known to the compiler. */
export function calls<const C extends Calls>(contract: C): C {
  return contract;
}

/** The names in braces of a path: `'id'` of `GET /api/DateIdeas/{id}`. */
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

/** What a caller hands over: params where the path has some, query, body; each known from the contract. */
export type Input<N extends string, C> = ([ParamNames<N>] extends [never] ? unknown : { readonly params: Params<N> }) &
  (C extends { query: z.ZodObject } ? { readonly query?: QueryInput<C> } : unknown) &
  Field<'body', BodyInput<C>>;

/** What a caller gets: the reply's shape, null for 204. */
export type Reply<C> = C extends { reply: infer R } ? (R extends z.ZodType ? z.output<R> : null) : never;

/** A call's method and path, apart. */
export function splitName(name: CallName): { method: Method; path: string } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space) as Method, path: name.slice(space + 1) };
}

/** The path with its params filled in, each encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
