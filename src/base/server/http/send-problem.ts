import type { FastifyReply } from 'fastify';
import { type Problem, problemTitle } from '../../problem.ts';
import type { Refusal } from '../../refusal.ts';

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
