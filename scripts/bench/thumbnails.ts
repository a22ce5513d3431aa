import { fork } from 'node:child_process';
import { join } from 'node:path';
import { addSmallPhotos, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { measureRate } from './measure-rate.ts';

const ROUNDS = 5;

/** Measures uncached thumbnail requests with the session cookie against a plain Node server with the same bytes. */
export async function benchThumbnails(): Promise<Figure[]> {
  const server = await startBenchServer();
  const bare = fork(join(import.meta.dirname, 'bare-server.ts'));
  try {
    const [path = ''] = await addSmallPhotos(server, 1);
    const headers = { cookie: server.cookie };
    const bytes = Buffer.from(await (await fetch(server.url + path, { headers })).arrayBuffer());
    const port = new Promise<number>((done) => bare.once('message', (message) => done(message as number)));
    bare.send(bytes.toString('base64'));
    const floorUrl = `http://127.0.0.1:${await port}/`;
    const ratios: number[] = [];
    let rate = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const floor = await measureRate(floorUrl, headers);
      rate = await measureRate(server.url + path, headers);
      ratios.push(rate / floor);
    }
    return [
      {
        what: 'thumbnails : a plain Node server with the same bytes, requests a second',
        figure: median(ratios).toFixed(2),
        goal: `at least 0.70 (${Math.round(rate)}/s of ${bytes.length} bytes)`,
      },
    ];
  } finally {
    bare.kill();
    await server.stop();
  }
}
