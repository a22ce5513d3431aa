import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { planDateId } from '../../tests/support/factories.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import { upload } from '../../tests/support/upload.ts';
import { expectStatus, startBenchServer } from './bench-server.ts';
import type { Figure } from './figures-on-both-engines.ts';
import { median, percentile, timeOf } from './median-time.ts';

/** Uploaded at the same time, so that a hundred previews are made while others follow one by one. */
const BATCH = 100;
const UPLOADS_BESIDE_PREVIEWS = 100;
/** With one per core, each wait for the disk would leave a core idle. */
const CONCURRENCY = 2 * availableParallelism();

/** Makes with sharp alone all that an upload causes: the thumbnail, and the preview that the server makes later. */
async function makeVariants(picture: Buffer): Promise<void> {
  for (const side of [320, 1600]) {
    await sharp(picture).autoOrient().resize(side, side, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
  }
}

/** Runs `work` for each photograph of a batch, some at a time. */
async function runBatch(work: (n: number) => Promise<unknown>): Promise<void> {
  await new PQueue({ concurrency: CONCURRENCY }).addAll(Array.from({ length: BATCH }, (_, n) => () => work(n + 1)));
}

/** Processor time of this process for each of a batch of photographs with sharp alone, in milliseconds. */
async function processorOfSharp(photo: Buffer): Promise<number> {
  await makeVariants(photo);
  const before = process.cpuUsage();
  await runBatch(() => makeVariants(photo));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / BATCH;
}

/** Measures uploads beside the previews of a hundred others, the server's memory, and its processor time. */
export async function benchUploads(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    const dateId = await planDateId(server.user);
    const base = await makeJpeg({ width: 4000, height: 3000, grain: 32 });
    const send = async (n: number) => {
      const { status } = await upload(server.user, Buffer.concat([base, Buffer.from(`${n}`)]), { dateId });
      expectStatus(status, 201);
    };
    const ofSharp = await processorOfSharp(base);
    await send(0);
    await server.untilIdle();
    const before = await server.ask('usage', { collected: false });
    await runBatch(send);
    const took: number[] = [];
    for (let n = 0; n < UPLOADS_BESIDE_PREVIEWS; n += 1) {
      took.push(await timeOf(() => send(1_000 + n)));
    }
    await server.untilIdle();
    const after = await server.ask('usage', { collected: false });
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
