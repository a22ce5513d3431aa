import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type FieldError, type Problem, problemTitle } from '../../problem.ts';
import { Refusal } from '../../refusal.ts';
import { type Fault, faultOf, isTransient } from '../db/faults.ts';
import { StoreUnavailable } from '../files/files.ts';

/** Seconds to wait before a retry while the database or photo store is down. */
export const OUTAGE_RETRY_S = 5;

/** Maps an error to the refusal that the client gets (durability.stored.6); null for an unexpected one. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return fromIssues(error);
  if (error instanceof StoreUnavailable) {
    return new Refusal(503, 'Our photos are unavailable for a moment. Please try again.', {
      retryAfter: OUTAGE_RETRY_S,
    });
  }
  const fault = faultOf(error);
  if (fault === 'diskFull') return new Refusal(507, 'Our disk is full. Nothing was saved; make room and try again.');
  if ((fault !== null && UNAVAILABLE.has(fault)) || isTransient(error)) {
    // It doesn't say that nothing was saved: the answer to COMMIT may be what was lost.
    return new Refusal(503, 'Our album is out of reach for a moment. Please try again.', {
      retryAfter: OUTAGE_RETRY_S,
    });
  }
  return null;
}

/** The faults that may end by themselves, or once an operator has seen to them. */
const UNAVAILABLE: ReadonlySet<Fault> = new Set<Fault>([
  'diskReadOnly',
  'diskFails',
  'databaseNotOpened',
  'databaseReadOnly',
  'databaseBusy',
  'hostUnknown',
  'unreachable',
]);

/** A 400 with the first message for each invalid field, in the schema's order. */
function fromIssues({ issues }: z.ZodError): Refusal {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (field !== '' && !errors.some((known) => known.field === field)) errors.push({ field, message: issue.message });
  }
  return new Refusal(400, errors.map((e) => e.message).join(' ') || 'The request is not valid.', { errors });
}

/** The body of an error answer. `message` is for the user; it becomes the problem's `detail` too. */
export function problemOf(
  status: number,
  message: string,
  requestId: string,
  { errors = [], type = 'about:blank' }: Partial<Pick<Refusal, 'errors' | 'type'>> = {},
): Problem {
  return { type, title: problemTitle(status, type), status, detail: message, message, errors, requestId };
}

/** The `Clear-Site-Data` header that clears the photographs in the browser's cache. Browsers ignore it without HTTPS. */
export const CLEAR_CACHE = '"cache"';

/** Sends a problem, with the headers that HTTP requires for its status. */
export function sendProblem(
  reply: FastifyReply,
  refusal: Pick<Problem, 'status' | 'message'> &
    Partial<Pick<Refusal, 'errors' | 'retryAfter' | 'hasEndedSession' | 'type'>>,
): FastifyReply {
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  if (refusal.hasEndedSession) reply.header('clear-site-data', CLEAR_CACHE);
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(refusal.status, refusal.message, reply.request.id, refusal)));
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  404: 'There’s nothing at this address.',
  405: 'Method not allowed.',
  408: 'The request timed out.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'Unsupported media type.',
  431: 'The request headers are too large.',
};

/** Returns the message for an error that Fastify or Node detects. */
export function messageOf(status: number): string {
  return MESSAGES[status] ?? 'The request is not valid.';
}

/** Fastify's error handler: sends refusals, and logs any other error and answers 500 without details. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal) {
    if (refusal.status >= 500) request.log.error({ err: error }, 'out of reach');
    return sendProblem(reply, refusal);
  }
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return sendProblem(reply, { status, message: messageOf(status) });
  request.log.error({ err: error }, 'unexpected error');
  return sendProblem(reply, {
    status: 500,
    message: `Something went wrong on our side. The request ID is ${request.id}.`,
  });
}
