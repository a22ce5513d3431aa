import type { FastifyInstance } from 'fastify';

/**
 * Keeps of these headers what the outermost trusted proxy said: it is the one that the browser spoke to. Each proxy may
 * append its own word ('https, http'), and Fastify would read the last one.
 */
export function keepOutermostForwardedHeaders(fastify: FastifyInstance, trusted: number): void {
  fastify.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    for (const name of ['x-forwarded-proto', 'x-forwarded-host']) {
      const words = String(headers[name] ?? '').split(',');
      if (words.length > 1) headers[name] = words.at(-Math.min(trusted, words.length)) ?? '';
    }
    done();
  });
}
