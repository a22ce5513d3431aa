import { join } from 'node:path';
import { createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/config.ts';
import { fillGallery } from '../../tests/support/fill-gallery.ts';

/**
 * The server as it is, in a process of its own, with the bench's floor beside its calls: `/bench/ready-made` answers
 * what was sent to it by `PUT`, from memory, and `/bench/page` the HTML in it as a page; `PUT /bench/memories` multiplies the memories that are there. To any message
 * it says its peak of memory, in bytes.
 */
const config = readConfig(process.env, join(import.meta.dirname, '../../dist/web'));
const app = await createApp(config);
let readyMade = Buffer.alloc(0);
app.fastify.put('/bench/ready-made', { bodyLimit: 4_194_304 }, async (request, reply) => {
  readyMade = Buffer.from(JSON.stringify(request.body));
  return reply.code(204).send();
});
app.fastify.get('/bench/ready-made', (_request, reply) =>
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(readyMade),
);
app.fastify.put('/bench/memories', async (request, reply) => {
  await fillGallery(app.db, config.dataDir, (request.body as { count: number }).count);
  return reply.code(204).send();
});
app.fastify.get('/bench/page', (_request, reply) => {
  // A snapshot of a page bears the styles that its script has set on it.
  reply.header('content-security-policy', "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'");
  return reply.type('text/html; charset=utf-8').send((JSON.parse(readyMade.toString()) as { html: string }).html);
});
process.on('message', () => process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1024 }));
process.on('SIGTERM', () => {
  // A browser that has left may hold a connection open for ever.
  setTimeout(() => process.exit(0), 3000).unref();
  void app.close().then(() => process.exit(0));
});
process.send?.({ url: await app.listen() });
