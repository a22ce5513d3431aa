import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { planDate, upload } from '../../tests/support/uploads.ts';
import { median, percentile, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

/** Uploaded at the same time, so that a hundred previews are made while others follow one by one. */
const BATCH = 100;
const UPLOADS_BESIDE_PREVIEWS = 100;
/** With one per core, each wait for the disk would leave a core idle. */
const CONCURRENCY = 2 * availableParallelism();

/** A photograph like a phone's: 12 megapixels, with grain, so that it compresses like a real one. */
async function makePhoto(seed: number): Promise<Buffer> {
  const noise = (width: number, height: number, mean: number, sigma: number) =>
    sharp({
      create: { width, height, channels: 3, background: '#88776a', noise: { type: 'gaussian', mean, sigma } },
    })
      .png()
      .toBuffer();
  return sharp(await noise(80, 60, 128 + (seed % 20), 60))
    .resize(4000, 3000, { kernel: 'cubic' })
    .composite([{ input: await noise(500, 500, 128, 8), tile: true, blend: 'soft-light' }])
    .withExif({ IFD0: { ImageDescription: `photograph ${seed}` } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** Makes with sharp alone all that an upload causes: the thumbnail, and the preview that the server makes later. */
async function makeVariants(picture: Buffer): Promise<void> {
  for (const side of [320, 1600]) {
    await sharp(picture).autoOrient().resize(side, side, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
  }
}

/** Runs `work` for each number below `count`, some at a time. */
async function runMany(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Processor time of this process for each of a batch of photographs with sharp alone, in milliseconds. */
async function processorOfSharp(photo: Buffer): Promise<number> {
  await makeVariants(photo);
  const before = process.cpuUsage();
  await runMany(BATCH, () => makeVariants(photo));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / BATCH;
}

/** Measures uploads beside the previews of a hundred others, the server's memory, and its processor time. */
export async function benchUploads(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    const dateId = await planDate(server.user);
    const base = await makePhoto(0);
    const send = async (n: number) => {
      const { status } = await upload(server.user, Buffer.concat([base, Buffer.from(`${n}`)]), { dateId });
      if (status !== 201) throw new Error(`An upload failed with ${status}`);
    };
    const ofSharp = await processorOfSharp(base);
    await send(0);
    await server.untilIdle();
    const before = await server.usage();
    await runMany(BATCH, send);
    const took: number[] = [];
    for (let n = 0; n < UPLOADS_BESIDE_PREVIEWS; n += 1) {
      const startedAt = performance.now();
      await send(1_000 + n);
      took.push(performance.now() - startedAt);
    }
    await server.untilIdle();
    const after = await server.usage();
    const each = (after.processorMs - before.processorMs) / (BATCH + UPLOADS_BESIDE_PREVIEWS);
    return [
      {
        what: 'uploads beside previews of 100 others : their median, time of p95',
        figure: (percentile(took, 0.95) / median(took)).toFixed(2),
        goal: `at most 3.00 (median ${Math.round(median(took))} ms)`,
      },
      {
        what: 'processor time of a photograph : sharp alone',
        figure: (each / ofSharp).toFixed(2),
        goal: `at most 1.40 (${Math.round(each)} : ${Math.round(ofSharp)} ms)`,
      },
      { what: 'peak server memory, MB', figure: (after.peakBytes / 2 ** 20).toFixed(0), goal: 'at most 300' },
    ];
  } finally {
    await server.stop();
  }
}
