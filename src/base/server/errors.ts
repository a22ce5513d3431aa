import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FieldError, Problem } from '../refusal.ts';
import { Refusal, titleOf } from '../refusal.ts';
import { codeOf, isPassing } from './db/faults.ts';

/** Seconds after which a store that is out of reach may be asked again. */
const RETRY_AFTER = 5;

/** The one place where what went wrong becomes what is said of it (contract 1, Errors). */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return fromIssues(error);
  const code = kindOf(error);
  if (DISK_FULL.has(code)) return new Refusal(507, 'Our disk is full. Nothing was saved; make room and try again.');
  if (OUT_OF_REACH.has(code) || isPassing(error)) {
    return new Refusal(503, 'Our album is out of reach for a moment. Nothing was saved; please try again.', {
      retryAfter: RETRY_AFTER,
    });
  }
  return null;
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);
const OUT_OF_REACH = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'EIO',
  'EROFS',
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'TimeoutError',
]);

/** SQLite's extended codes are told by their kind. */
function kindOf(error: unknown): string {
  const code = codeOf(error);
  return code.startsWith('SQLITE_IOERR') ? 'EIO' : code.replace(/^(SQLITE_(?:CANTOPEN|READONLY|BUSY))_.*/, '$1');
}

/** A refusal 400 of all the fields that a schema found fault with, each told once, in the schema's order. */
function fromIssues({ issues }: z.ZodError): Refusal {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (field !== '' && !errors.some((known) => known.field === field)) errors.push({ field, message: issue.message });
  }
  return new Refusal(400, errors.map((e) => e.message).join(' ') || 'The request is not valid.', { errors });
}

export function problemOf(
  status: number,
  message: string,
  requestId: string,
  errors: readonly FieldError[] = [],
): Problem {
  return { type: 'about:blank', title: titleOf(status), status, detail: message, message, errors, requestId };
}

/** Sends a problem; its headers say what HTTP wants said with its status. */
export function sendProblem(
  reply: FastifyReply,
  refusal: { status: number; message: string; errors?: readonly FieldError[]; retryAfter?: number | undefined },
): FastifyReply {
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(refusal.status, refusal.message, reply.request.id, refusal.errors)));
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  404: 'There is nothing here.',
  405: 'This can not be done here.',
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'This kind of content is not taken here.',
  431: 'The request has too much in its headers.',
};

/** What is said of a status that the framework or Node found by itself. */
export function sentenceOf(status: number): string {
  return SENTENCES[status] ?? 'The request is not valid.';
}

/** Fastify's error handler: refusals are told, everything else is logged once and answers 500 without its insides. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal) {
    if (refusal.status >= 500) request.log.error({ err: error }, 'out of reach');
    return sendProblem(reply, refusal);
  }
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return sendProblem(reply, { status, message: sentenceOf(status) });
  request.log.error({ err: error }, 'unexpected error');
  return sendProblem(reply, { status: 500, message: `Something went wrong on our side. Its number is ${request.id}.` });
}
