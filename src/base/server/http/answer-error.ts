import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf, sendProblem } from './send-problem.ts';
import { toRefusal } from './to-refusal.ts';

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
