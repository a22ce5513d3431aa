import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Call, CallName, Calls, Params, Reply } from '../../call.ts';
import type { UserId } from '../../ids.ts';
import type { Db, Writer } from '../db/db.ts';
import type { Answer, StreamAnswer } from './answer.ts';
import type { IdempotentRun, SeenAgain } from './idempotency.ts';
import type { Session } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that a public call has just signed in. */
    signedInAs?: UserId;
  }
}

/** The kinds of access that need a session. */
export type Access = Exclude<NonNullable<Call['access']>, 'public'>;

/** The dependencies of all routes. */
export interface RouteDeps {
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
  readonly replay: IdempotentRun['replay'];
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

type HandlerResult<C> = Reply<C> | Answer<Reply<C>> | StreamAnswer;

/** What is known of a request before its body is read. */
type EarlyContext<N extends string, C> = Omit<Context<N, C>, 'body' | 'query' | 'replay' | 'create'>;

/** A handler, with checks that run before the body is read or parsed. */
export interface RouteSteps<N extends string, C> {
  /** Refuses the request before its body is read, mostly with 404, which takes precedence over 413, 415 and 400. */
  readonly checkEarly?: (context: EarlyContext<N, C>) => Promise<unknown>;
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

/** The last step of one of a contract's calls, which answers it. */
export type Handle<C extends Calls, N extends keyof C & string> = RouteSteps<N, C[N]>['handle'];

/** One route for each call of a contract. A missing one doesn't compile. */
export type Routes<C extends Calls> = { readonly [N in keyof C & string]: Route<N, C[N]> };

/** The context and the steps of any call. */
export type AnyContext = Context<string, Call>;
export type AnyRoute = RouteSteps<string, Call>;
