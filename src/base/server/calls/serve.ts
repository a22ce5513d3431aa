import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Call, CallName, Calls, Params, Reply } from '../../call.ts';
import { splitName } from '../../call.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { isId } from '../../schema.ts';
import type { Db, Writer } from '../db/db.ts';
import { isOwnerGone } from '../db/faults.ts';
import { chooseEncoding, compress, type Encoded } from '../http/compress.ts';
import { UPLOAD_PART_TYPE } from '../http/http.ts';
import { Answer, StreamAnswer, WrittenAnswer } from './answer.ts';
import { assertReplyShape } from './check-reply.ts';
import { type KeyedCreate, type OncePerKey, oncePerKey, type SeenAgain } from './replies.ts';

/** The signed-in user of a request, from the bearer token, or for photos from the cookie. */
export interface Session {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
  readonly sessionId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that a public call has just signed in. */
    signedInAs?: UserId;
  }
}

/** The kinds of access that need a session. */
export type Access = Exclude<NonNullable<Call['access']>, 'public'>;

/** The dependencies of all routes. */
export interface Ports {
  readonly db: Db;
  readonly now: () => number;
  /** Returns the session for the kind of access. Throws Refusal 401 or 403. */
  readonly authenticate: (request: FastifyRequest, access: Access) => Promise<Session>;
  /** Checks every JSON reply against its contract (tests). */
  readonly checkReplies: boolean;
  /** Returns whether a call with this status is logged as a security event. */
  readonly isSecurityEvent: (name: CallName, status: number) => boolean;
}

type QueryOf<C> = C extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
type BodyOf<C> = C extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
type SessionOf<C> = C extends { access: 'public' } ? null : Session;

/** What a handler gets: the parsed request and its session. */
export interface Context<N extends string, C> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Params<N>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly session: SessionOf<C>;
  readonly now: number;
  readonly ifMatch: string | undefined;
  /** Returns what a retry gets, if the request's `Idempotency-Key` has created something. */
  readonly replay: OncePerKey['replay'];
  /**
   * Creates an entity in one transaction, which also stores the reply if the request has a key. `work` may run more
   * than once, and the reply may come from another request with the same key. A multipart route passes its `content`,
   * because only it has read the body.
   */
  create<T extends { readonly id: string }>(
    work: (tx: Writer) => Promise<Answer<T>>,
    content?: string,
  ): Promise<Answer<T>>;
}

type HandlerResult<C> = Reply<C> | Answer<Reply<C>> | WrittenAnswer<Reply<C>> | StreamAnswer;

/** What is known of a request before its body is read. */
type EarlyContext<N extends string, C> = Omit<Context<N, C>, 'body' | 'query' | 'replay' | 'create'>;

/** A handler, with checks that run before the body is read or parsed. */
export interface RouteSteps<N extends string, C> {
  /** Throws 404 before the body is read, because 404 takes precedence over 413, 415 and 400. */
  readonly find?: (context: EarlyContext<N, C>) => Promise<unknown>;
  /** Throws 404 for an entity that the body refers to, before the body is validated. It gets the raw body. */
  readonly checkReferences?: (context: EarlyContext<N, C>, raw: unknown) => Promise<unknown>;
  /** Reads what an `Idempotency-Key` created earlier, as the asker may see it now. */
  readonly readAgain?: (context: EarlyContext<N, C>, id: string) => Promise<SeenAgain>;
  readonly handle: (context: Context<N, C>) => Promise<HandlerResult<C>>;
}

/** A route: its handler, or its steps. A call that accepts an `Idempotency-Key` needs `readAgain`. */
export type Route<N extends string, C> = C extends { idempotent: true }
  ? RouteSteps<N, C> & Required<Pick<RouteSteps<N, C>, 'readAgain'>>
  : RouteSteps<N, C>['handle'] | RouteSteps<N, C>;

/** One route for each call of a contract. A missing one doesn't compile. */
export type Routes<C extends Calls> = { readonly [N in keyof C & string]: Route<N, C[N]> };

type AnyContext = Context<string, Call>;
type AnyRoute = RouteSteps<string, Call>;

const JSON_TYPE = 'application/json; charset=utf-8';
const IDEMPOTENCY_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Registers the routes of a contract's calls, under their names and their aliases. */
export function serve<C extends Calls>(fastify: FastifyInstance, contract: C, routes: Routes<C>, ports: Ports): void {
  for (const name of Object.keys(contract) as (CallName & keyof C)[]) {
    const call = contract[name] as Call;
    const given = routes[name as keyof C & string] as unknown as AnyRoute | AnyRoute['handle'];
    const route: AnyRoute = typeof given === 'function' ? { handle: given } : given;
    for (const alias of [name, ...(call.also ?? [])]) register(fastify, name, alias, call, route, ports);
  }
}

function register(
  fastify: FastifyInstance,
  name: CallName,
  alias: CallName,
  call: Call,
  route: AnyRoute,
  ports: Ports,
): void {
  const { method, path } = splitName(alias);
  const contexts = new WeakMap<FastifyRequest, AnyContext>();
  /** The requests whose body had not arrived when they were authenticated. */
  const early = new WeakSet<FastifyRequest>();
  const contextOf = (request: FastifyRequest): AnyContext => {
    const context = contexts.get(request);
    if (!context) throw new Error('The onRequest hook did not run');
    return context;
  };

  const authenticate = async (request: FastifyRequest) =>
    call.access === 'public' ? null : ports.authenticate(request, call.access ?? 'session');

  fastify.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      const session = await authenticate(request);
      if (awaitsBody(request)) early.add(request);
      const params = request.params as Record<string, string>;
      assertIds(params);
      const context = {
        request,
        reply,
        params,
        session,
        now: ports.now(),
        ifMatch: request.headers['if-match'],
      } as unknown as AnyContext;
      contexts.set(request, context);
      await route.find?.(context);
      assertContentType(call, request);
    },
    preHandler: async (request) => {
      // A body may take half a minute, and the session may have ended meanwhile.
      if (early.has(request)) await authenticate(request);
      const context = contextOf(request);
      await route.checkReferences?.(context, request.body);
      Object.assign(context, {
        query: call.query?.parse(request.query),
        body: call.body?.parse(request.body ?? {}),
      });
    },
    handler: async (request, reply) => {
      const context = contextOf(request);
      const answer = await handleOnce(name, call, context, ports, route).catch(async (error: unknown) => {
        // The account may have been deleted at this moment.
        if (isOwnerGone(error)) await authenticate(request);
        throw error;
      });
      return send(reply, call, answer, ports);
    },
    config: {
      eventOf: (request, status) => {
        if (!ports.isSecurityEvent(name, status)) return null;
        const user = contexts.get(request)?.session?.userId ?? request.signedInAs ?? null;
        return { call: name, user, address: request.ip };
      },
    },
  });
}

/** Whether the body is still arriving. The body of a GET is not read. */
function awaitsBody({ method, raw }: FastifyRequest): boolean {
  return method !== 'GET' && !raw.complete;
}

/** Checks that id params have the shape of an id. @throws Refusal 404, because no other id can exist */
function assertIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (/^id$|Id$/.test(name) && !isId(value)) throw notFound('This');
  }
}

/** Checks the content type before the body is read. @throws Refusal 415 */
function assertContentType(call: Call, request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(type);
  const isUploadPart = type.toLowerCase() === UPLOAD_PART_TYPE;
  if (isUploadPart !== (call.tus?.takesPiece ?? false)) {
    throw new Refusal(
      415,
      isUploadPart ? 'Resumable uploads are not supported here.' : `The content type must be ${UPLOAD_PART_TYPE}.`,
    );
  }
  if (call.multipart && !isForm) throw new Refusal(415, 'The content type must be multipart/form-data.');
  if (call.body && isForm) throw new Refusal(415, 'The content type must be application/json.');
}

/** Runs the handler, at most once per `Idempotency-Key`. */
async function handleOnce(
  name: CallName,
  call: Call,
  context: AnyContext,
  { db, now }: Ports,
  { handle, readAgain }: AnyRoute,
): Promise<unknown> {
  if (!readAgain || context.session === null) return handle(context);
  const content = JSON.stringify(context.body ?? null);
  const request: KeyedCreate = {
    name,
    coupleId: context.session.coupleId,
    key: keyOf(context.request),
    readAgain: (id) => readAgain(context, id),
  };
  return oncePerKey({ db, now }, request, async ({ replay, create }) => {
    if (replay && !call.multipart) return replay(content);
    return handle(
      Object.assign(context, {
        replay,
        create: (work: Parameters<typeof create>[0], own = content) => create(work, own),
      }),
    );
  });
}

/**
 * Returns the request's `Idempotency-Key` in lower case; null without one.
 * @throws Refusal 400 if it isn't a UUID
 */
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw new Refusal(400, 'Idempotency-Key must be a UUID.');
  return key.toLowerCase();
}

async function send(reply: FastifyReply, call: Call, result: unknown, ports: Ports): Promise<FastifyReply> {
  if (result instanceof StreamAnswer) {
    reply.code(result.status).headers(result.headers);
    return reply.send(result.stream ?? '');
  }
  // Never compress replies with tokens or for public calls: their length could leak the content.
  const encoding = call.access === undefined ? chooseEncoding(reply.request.headers['accept-encoding']) : null;
  if (result instanceof WrittenAnswer) {
    if (ports.checkReplies) assertReplyShape(call, JSON.parse(result.bytes.toString()));
    return sendJson(reply, await result.compressed(encoding));
  }
  const answer = result instanceof Answer ? result : new Answer(result);
  reply.headers(answer.headers);
  if (answer.body === null || answer.body === undefined) {
    return reply.header('cache-control', 'no-store').code(204).send();
  }
  if (ports.checkReplies) assertReplyShape(call, answer.body);
  reply.code(answer.status ?? call.status ?? 200);
  return sendJson(reply, await compress(Buffer.from(JSON.stringify(answer.body)), encoding));
}

function sendJson(reply: FastifyReply, { bytes, encoding }: Encoded): FastifyReply {
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.header('vary', 'Accept-Encoding').header('cache-control', 'no-store').type(JSON_TYPE).send(bytes);
}
