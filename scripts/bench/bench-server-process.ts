import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { fillGallery } from '../../tests/support/fill-gallery.ts';
import { fillCouples } from './fill-couples.ts';
import { type CoupleHistory, fillHistory } from './fill-history.ts';

/**
 * The app's server in a process of its own, which does by IPC what the benchmarks ask for: multiply the memories, create
 * couples and return their tokens, give one a history, and say what it has used so far.
 */
const config = readConfig(process.env, join(import.meta.dirname, '../../dist/web'));
const app = await createApp(config);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const works = {
  memories: ({ count }: { count: number }) => fillGallery(app.db, config.dataDir, count),
  couples: ({ count }: { count: number }) => fillCouples(app.db, count),
  history: ({ token, history }: { token: string; history: CoupleHistory }) => fillHistory(app.db, token, history),
  usage: async ({ collected }: { collected: boolean }) => {
    if (collected) collectGarbage();
    const { user, system } = process.cpuUsage();
    return {
      peakBytes: process.resourceUsage().maxRSS * 1024,
      residentBytes: process.memoryUsage.rss(),
      processorMs: (user + system) / 1000,
    };
  },
};
export type ServerWork = typeof works;

process.on('message', ({ what, body }: { what: keyof ServerWork; body: never }) => {
  void works[what](body).then((answer) => process.send?.({ answer }));
});
// The benchmark has failed.
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => {
  // A closed browser may leave a connection open.
  setTimeout(() => process.exit(0), 3000).unref();
  void app.close().then(() => process.exit(0));
});
process.send?.({ answer: await app.listen() });
