import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { SHARE } from '../../base/share-contract.ts';

/**
 * Serves the built page. Files with a hash in their name are cached forever. The build has compressed all files. Every
 * screen's path gets the same HTML.
 */
export async function addPages(fastify: FastifyInstance, webRoot: string): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: webRoot,
    // With a route for each file, a start would take half as long again.
    serve: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // Normally the service worker receives shared photographs. Without one, the upload page says that nothing arrived.
  fastify.post(SHARE.path, (_request, reply) => reply.redirect(`${SHARE.path}?${SHARE.flag}=true`, 303));
  const files = await listFiles(webRoot);
  fastify.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (files.has(path)) return reply.sendFile(path);
    if (/^\/(api|assets)(\/|$)/i.test(path) || /\.\w+$/.test(path)) return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}

/** The paths of all files in a folder: `/assets/main.js`. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(paths.map((path) => `/${relative(folder, path).replaceAll('\\', '/')}`));
}
