import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Call, CallName, Calls, Params, Reply } from '../call.ts';
import { splitName } from '../call.ts';
import type { CoupleId, UserId } from '../ids.ts';
import { notFound, Refusal } from '../refusal.ts';
import { isId } from '../schema.ts';
import { Answer, StreamAnswer, WrittenAnswer } from './answer.ts';
import { assertReplyShape } from './check-reply.ts';
import { chooseEncoding, compress, type Encoded } from './compress.ts';
import type { Db, Writer } from './db/db.ts';
import { PIECE_TYPE } from './http.ts';
import type { Claim, KeptReply } from './replies.ts';
import { ClaimLost, claimKey, fingerprintOf, replay } from './replies.ts';

/** Who asks, known from the token, or for photographs from the cookie. */
export interface Session {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
  readonly sessionId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a call without a session has just signed in. */
    signedInAs?: UserId;
  }
}

/** What every route needs, handed in by the app. */
export interface Ports {
  readonly db: Db;
  readonly now: () => number;
  /** Finds the session by the carriers that the access allows; throws Refusal 401 or 403. */
  readonly authenticate: (request: FastifyRequest, access: 'session' | 'photo' | 'renew') => Promise<Session>;
  /** Holds every JSON answer against its contract: on in tests. */
  readonly checkReplies: boolean;
  /** Whether that a call was made, and what came of it, is written to the log for whoever has to look into it. */
  readonly isWatched: (name: CallName, status: number) => boolean;
}

type QueryOf<C> = C extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
type BodyOf<C> = C extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
type SessionOf<C> = C extends { access: 'public' } ? null : Session;

/** What a handler is given: everything parsed, and who asks. */
export interface Context<N extends string, C> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Params<N>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly session: SessionOf<C>;
  readonly now: number;
  readonly ifMatch: string | undefined;
  /** The key that the call carries, taken; null without one. */
  readonly claim: Claim | null;
  /**
   * Creates in one transaction, and keeps the answer in it where the call carries a key. `work` may run more than once,
   * and the answer may be another request's with the same key. A multipart call says what its content was, which it
   * alone has read.
   */
  create<T>(work: (tx: Writer) => Promise<Answer<T>>, content?: string): Promise<Answer<T>>;
}

type Handled<C> = Reply<C> | Answer<Reply<C>> | WrittenAnswer<Reply<C>> | StreamAnswer;

/** A route is its handler; or, where a thing must be found before the body is read, that and the handler. */
export type Route<N extends string, C> =
  | ((context: Context<N, C>) => Promise<Handled<C>>)
  | {
      /** Throws 404 before the body is read, for 404 comes before 413, 415 and 400. */
      readonly find?: (context: Omit<Context<N, C>, 'body' | 'query' | 'claim' | 'create'>) => Promise<unknown>;
      /** Throws 404 for what the body names, before the body is judged. It gets the body as it came. */
      readonly checkReferences?: (
        context: Omit<Context<N, C>, 'body' | 'query' | 'claim' | 'create'>,
        raw: unknown,
      ) => Promise<unknown>;
      readonly handle: (context: Context<N, C>) => Promise<Handled<C>>;
    };

/** One route for each call of a contract; a missing one does not compile. */
export type Routes<C extends Calls> = { readonly [N in keyof C & string]: Route<N, C[N]> };

type AnyContext = Context<string, Call>;
type AnyRoute = Exclude<Route<string, Call>, (...args: never[]) => unknown>;

const JSON_TYPE = 'application/json; charset=utf-8';
const IDEMPOTENCY_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Registers a contract's calls, each under its own name and the names that the first clients know. */
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
  const contextOf = (request: FastifyRequest): AnyContext => {
    const context = contexts.get(request);
    if (!context) throw new Error('A request came past its own onRequest hook');
    return context;
  };

  fastify.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      const session = call.access === 'public' ? null : await ports.authenticate(request, call.access ?? 'session');
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
      const context = contextOf(request);
      await route.checkReferences?.(context, request.body);
      Object.assign(context, {
        query: call.query?.parse(request.query),
        body: call.body?.parse(request.body ?? {}),
      });
    },
    handler: async (request, reply) => {
      const context = contextOf(request);
      const answer = await once(name, call, context, ports, route.handle);
      return send(reply, call, answer, ports);
    },
    config: {
      eventOf: (request, status) => {
        if (!ports.isWatched(name, status)) return null;
        const user = contexts.get(request)?.session?.userId ?? request.signedInAs ?? null;
        return { call: name, user, address: request.ip };
      },
    },
  });
}

/** A param that names an id must have an id's shape; another couldn't be anybody's (contract 1: 404). */
function assertIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (/^id$|Id$/.test(name) && !isId(value)) throw notFound('This');
  }
}

/** Refuses a form where JSON is taken, and anything else where a form is: 415, before a byte of it is read. */
function assertContentType(call: Call, request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(type);
  const isPiece = type.toLowerCase() === PIECE_TYPE;
  if (isPiece !== (call.tus?.takesPiece ?? false)) {
    throw new Refusal(415, isPiece ? 'This is not taken in pieces.' : `This is taken as ${PIECE_TYPE}.`);
  }
  if (call.multipart && !isForm) throw new Refusal(415, 'This is taken as multipart/form-data.');
  if (call.body && isForm) throw new Refusal(415, 'This is taken as application/json.');
}

/** Runs the handler; with an `Idempotency-Key` once for each key (contract 1, Retrying). */
async function once(
  name: CallName,
  call: Call,
  context: AnyContext,
  ports: Ports,
  handle: AnyRoute['handle'],
): Promise<unknown> {
  const key = call.idempotent && context.session !== null ? keyOf(context.request) : null;
  const json = JSON.stringify(context.body ?? null);
  return keyed(ports, { name, coupleId: context.session?.coupleId ?? null, key, json }, async ({ claim, create }) => {
    if (claim?.kept && !call.multipart) return replay(claim.kept, fingerprintOf(name, json));
    return handle(Object.assign(context, { claim, create }));
  });
}

/**
 * The `Idempotency-Key` that a request carries, in lower case; null without one.
 * @throws Refusal 400 where it is no UUID
 */
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw new Refusal(400, 'Idempotency-Key must be a UUID.');
  return key.toLowerCase();
}

/** What creates under a key: the call by whose name it is known, the couple, the key, and what it is asked. */
interface Keyed {
  readonly name: CallName;
  readonly coupleId: CoupleId | null;
  readonly key: string | null;
  readonly json?: string;
}

/**
 * Runs work that creates, once for each key: it is given the claim, and the transaction that keeps its answer.
 * @throws Refusal 409 while another with this key runs, also where it took the key over while this one was stopped; 422,
 *   by `create`, where the key was used for something else
 */
export async function keyed<T>(
  { db, now }: Pick<Ports, 'db' | 'now'>,
  { name, coupleId, key, json = '' }: Keyed,
  work: (context: Pick<AnyContext, 'claim' | 'create'>) => Promise<T>,
): Promise<T> {
  const claim = key === null || coupleId === null ? null : await claimKey(db, coupleId, key, now);
  const print = (content: string) => fingerprintOf(name, content);
  const create: AnyContext['create'] = async (creating, content = json) => {
    const again = (kept: KeptReply) => replay(kept, print(content)) as Awaited<ReturnType<typeof creating>>;
    if (claim?.kept) return again(claim.kept);
    try {
      return await db.write(async (tx) => {
        const answer = await creating(tx);
        await claim?.keep(tx, print(content), answer);
        return answer;
      });
    } catch (error) {
      // While this node was stopped, another one may have answered already.
      const kept = error instanceof ClaimLost ? await claim?.later() : null;
      if (!kept) throw error;
      return again(kept);
    }
  };
  try {
    const result = await work({ claim, create });
    claim?.end();
    return result;
  } catch (error) {
    // A claim that can't be freed now runs out by itself; what went wrong first is what is told.
    await claim?.release().catch(() => undefined);
    throw error;
  }
}

async function send(reply: FastifyReply, call: Call, result: unknown, ports: Ports): Promise<FastifyReply> {
  if (result instanceof StreamAnswer) {
    reply.code(result.status).headers(result.headers);
    return reply.send(result.stream ?? '');
  }
  // What holds a token, or is read by strangers, is never compressed: its length would tell of what is in it.
  const encoding = call.access === undefined ? chooseEncoding(reply.request.headers['accept-encoding']) : null;
  if (result instanceof WrittenAnswer) {
    if (ports.checkReplies) assertReplyShape(call, JSON.parse(result.bytes.toString()));
    return sendJson(reply, await result.small(encoding));
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
