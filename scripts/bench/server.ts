import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { fillGallery } from '../../tests/support/fill-gallery.ts';
import { fillCouples } from './fill-couples.ts';
import { type CoupleHistory, fillHistory } from './fill-history.ts';

/**
 * The app's server in a process of its own, with extra routes for the benchmarks: `PUT /bench/memories` multiplies the
 * memories, `PUT /bench/couples` creates couples and returns their tokens, and `PUT /bench/history` gives one a history.
 * Answers every IPC message with its use of memory and processor, if it says so after a garbage collection.
 */
const config = readConfig(process.env, join(import.meta.dirname, '../../dist/web'));
const app = await createApp(config);
app.fastify.put('/bench/memories', (request) =>
  fillGallery(app.db, config.dataDir, (request.body as { count: number }).count).then(() => ({})),
);
app.fastify.put('/bench/couples', (request) => fillCouples(app.db, (request.body as { count: number }).count));
app.fastify.put('/bench/history', (request) => {
  const { token, history } = request.body as { token: string; history: CoupleHistory };
  return fillHistory(app.db, token, history).then(() => ({}));
});
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('message', ({ collected }: { collected: boolean }) => {
  if (collected) collectGarbage();
  const { user, system } = process.cpuUsage();
  process.send?.({
    peakBytes: process.resourceUsage().maxRSS * 1024,
    residentBytes: process.memoryUsage.rss(),
    processorMs: (user + system) / 1000,
  });
});
// The benchmark has failed.
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => {
  // A closed browser may leave a connection open.
  setTimeout(() => process.exit(0), 3000).unref();
  void app.close().then(() => process.exit(0));
});
process.send?.({ url: await app.listen() });
