import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call, CallName, Calls } from '../../call.ts';
import { splitName } from '../../call.ts';
import { isOwnerGone } from '../db/faults.ts';
import { assertContentType, assertIds } from './assert-ids-and-content-type.ts';
import { type IdempotentCreate, runIdempotent } from './idempotency.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { AnyContext, AnyRoute, RouteDeps, Routes } from './route-types.ts';
import { sendAnswer } from './send-answer.ts';

/** Registers the routes of a contract's calls, under their names and their aliases. */
export function serve<C extends Calls>(
  fastify: FastifyInstance,
  contract: C,
  routes: Routes<C>,
  deps: RouteDeps,
): void {
  for (const name of Object.keys(contract) as (CallName & keyof C)[]) {
    const call = contract[name] as Call;
    const given = routes[name as keyof C & string] as unknown as AnyRoute | AnyRoute['handle'];
    const route: AnyRoute = typeof given === 'function' ? { handle: given } : given;
    for (const alias of [name, ...(call.also ?? [])]) register(fastify, name, alias, call, route, deps);
  }
}

function register(
  fastify: FastifyInstance,
  name: CallName,
  alias: CallName,
  call: Call,
  route: AnyRoute,
  deps: RouteDeps,
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
    call.access === 'public' ? null : deps.authenticate(request, call.access ?? 'session');

  fastify.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      const session = await authenticate(request);
      if (isAwaitingBody(request)) early.add(request);
      const params = request.params as Record<string, string>;
      assertIds(params);
      const context = {
        request,
        reply,
        params,
        session,
        now: deps.now(),
        ifMatch: request.headers['if-match'],
      } as unknown as AnyContext;
      contexts.set(request, context);
      await route.checkEarly?.(context);
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
      const answer = await handleOnce(name, call, context, deps, route).catch(async (error: unknown) => {
        // The account may have been deleted at this moment.
        if (isOwnerGone(error)) await authenticate(request);
        throw error;
      });
      return sendAnswer(reply, call, answer, deps);
    },
    config: {
      eventOf: (request, status) => {
        if (!deps.isSecurityEvent(name, status)) return null;
        const user = contexts.get(request)?.session?.userId ?? request.signedInAs ?? null;
        return { call: name, user, address: request.ip };
      },
    },
  });
}

/** Runs the handler, at most once per `Idempotency-Key`. */
async function handleOnce(
  name: CallName,
  call: Call,
  context: AnyContext,
  { db, now }: RouteDeps,
  { handle, readAgain }: AnyRoute,
): Promise<unknown> {
  if (!readAgain || context.session === null) return handle(context);
  const content = JSON.stringify(context.body ?? null);
  const request: IdempotentCreate = {
    name,
    coupleId: context.session.coupleId,
    key: idempotencyKeyOf(context.request),
    readAgain: (id) => readAgain(context, id),
  };
  return runIdempotent({ db, now }, request, async ({ replay, create }) => {
    if (replay && !call.multipart) return replay(content);
    return handle(
      Object.assign(context, {
        replay,
        create: (work: Parameters<typeof create>[0], own = content) => create(work, own),
      }),
    );
  });
}

/** Whether the body is still arriving. The body of a GET is not read. */
function isAwaitingBody({ method, raw }: FastifyRequest): boolean {
  return method !== 'GET' && !raw.complete;
}
