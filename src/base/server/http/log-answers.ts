import type { FastifyInstance } from 'fastify';

/**
 * Serializes an error for the log: type, message and stack only. Drivers attach more, such as the values of a rejected
 * row or the headers of a request, which must not be logged.
 */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an Error', stack: '' };
  const { name: type, message, stack = '', cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause === undefined ? {} : { cause: plainError(cause) }),
  };
}

interface PlainError {
  readonly [more: string]: unknown;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

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
