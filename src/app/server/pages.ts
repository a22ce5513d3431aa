import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { chooseEncoding, compress } from '../../base/server/compress.ts';
import type { Deps } from '../../base/server/deps.ts';
import { SHARE } from '../../base/worker-contract.ts';
import { createPageRenderer } from './render-page.ts';

/**
 * Serves the built page. Files with a hash in their name are cached forever. The build has compressed all files. Every
 * screen's path gets the same HTML, with the screen's content if the server renders it.
 */
export async function addPages(fastify: FastifyInstance, deps: Deps, webRoot: string): Promise<void> {
  const render = await createPageRenderer(fastify, deps, webRoot);
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
  // Normally the service worker receives shared photographs. Without one, the upload page says that nothing arrived.
  fastify.post(SHARE.path, (_request, reply) => reply.redirect(`${SHARE.path}?${SHARE.flag}=true`, 303));
  fastify.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (/^\/(api|assets)(\/|$)/i.test(path) || /\.\w+$/.test(path)) return reply.callNotFound();
    reply.type('text/html; charset=utf-8').header('vary', 'Accept-Encoding, Cookie, User-Agent');
    const html = await render(request);
    if (html === null) return reply.header('cache-control', 'no-cache').send(page);
    // This page contains the couple's data.
    const { bytes, encoding } = await compress(Buffer.from(html), chooseEncoding(request.headers['accept-encoding']));
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply.header('cache-control', 'no-store').send(bytes);
  });
}
