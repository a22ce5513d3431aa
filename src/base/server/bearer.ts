import type { FastifyRequest } from 'fastify';

/**
 * The token of a request's `Authorization: Bearer` header. Null where there is no such header, and where there are two:
 * Node keeps the first of them in `headers`, while a proxy may have judged the second.
 */
export function bearerToken({ headers, raw }: FastifyRequest): string | null {
  const count = raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization').length;
  return count === 1 ? (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null) : null;
}
