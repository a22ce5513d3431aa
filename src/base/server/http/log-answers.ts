import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the log fields of a security event; null for other responses. */
    eventOf?: (request: FastifyRequest, status: number) => object | null;
  }
}

/**
 * Logs one line per response, with the request's id. It has the route, not the URL, which may contain a code or an id.
 * Errors and security events have the level `info`, other responses `debug`.
 */
export function logAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const status = reply.statusCode;
    const event = routeOptions.config.eventOf?.(request, status) ?? null;
    const level = status >= 400 || event !== null ? 'info' : 'debug';
    const line = { method, route: routeOptions.url ?? null, status, ms: Math.round(reply.elapsedTime), ...event };
    request.log[level](line, event === null ? 'answered' : 'security event');
  });
}
