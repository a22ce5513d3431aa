import type { FastifyInstance } from 'fastify';
import { messageOf, sendProblem } from './send-problem.ts';

/** Aborts slow JSON bodies (408). Only photos may take longer. */
export function abortSlowJson(fastify: FastifyInstance, ms: number): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.raw.complete || !/^application\/json/i.test(request.headers['content-type'] ?? '')) return;
    const timer = setTimeout(() => {
      if (request.raw.complete || reply.sent) return;
      sendProblem(reply.header('connection', 'close'), { status: 408, message: messageOf(408) });
      reply.raw.once('finish', () => request.raw.destroy());
    }, ms);
    timer.unref();
    reply.raw.once('close', () => clearTimeout(timer));
    request.raw.once('end', () => clearTimeout(timer));
  });
}

/**
 * Discards the rest of a body that a handler stopped reading, for a limited time. Some clients read the response only
 * after they have sent everything. While nothing is read, the server also doesn't notice that a client has gone.
 */
export function discardUnread(fastify: FastifyInstance, ms: number): void {
  fastify.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return;
    const timer = setTimeout(() => raw.destroy(), ms);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
    raw.resume();
  });
}
