import type { FastifyRequest } from 'fastify';

/**
 * Returns the token of a request's `Authorization: Bearer` header. Null without the header, for another scheme, for an empty
 * token, and if the header is repeated: Node keeps the first one in `headers`, but a proxy may have checked the second.
 */
export function bearerToken({ headers, raw }: FastifyRequest): string | null {
  const count = raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization').length;
  return count === 1 ? (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null) : null;
}
