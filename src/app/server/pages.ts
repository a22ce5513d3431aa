import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { SHARE } from '../../base/kept-here.ts';

/**
 * Serves the built page: files with a hash in their name for ever, compressed as the build left them; every other
 * address of a screen gets the one HTML page, whose scripts read the address.
 */
export async function addPages(fastify: FastifyInstance, webRoot: string): Promise<void> {
  const page = await readFile(join(webRoot, 'index.html'));
  await fastify.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // What a phone shares goes to the service worker; where there is none, the upload page says that nothing came.
  fastify.post(SHARE.path, (_request, reply) => reply.redirect(`${SHARE.path}?${SHARE.flag}=true`, 303));
  fastify.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (/^\/(api|assets)(\/|$)/i.test(path) || /\.\w+$/.test(path)) return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
