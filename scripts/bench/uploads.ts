import { request } from 'node:http';
import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { exifBomb, jpegWithExif } from '../../tests/support/exif.ts';
import { type BenchServer, median, percentile, planDate, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 9;
const BATCH_SIZE = 100;
/** The first batch runs before the code is optimized. */
const BATCHES = 3;
/** Uploads one after another, while the server makes the previews of the batches. */
const UPLOADS_BESIDE_PREVIEWS = 150;
/**
 * Concurrent uploads, and concurrent thumbnails of sharp alone. With one per core, each wait for the disk would leave a
 * core idle.
 */
const CONCURRENCY = 2 * availableParallelism();

/** A photograph like a phone's: 12 megapixels, with grain, so that it compresses like a real one. */
export async function makePhoto(seed: number): Promise<Buffer> {
  const width = 4000;
  const height = 3000;
  const small = await sharp({
    create: {
      width: 80,
      height: 60,
      channels: 3,
      background: '#88776a',
      noise: { type: 'gaussian', mean: 128 + (seed % 20), sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const grain = await sharp({
    create: {
      width: 500,
      height: 500,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .png()
    .toBuffer();
  return sharp(small)
    .resize(width, height, { kernel: 'cubic' })
    .composite([{ input: grain, tile: true, blend: 'soft-light' }])
    .withExif({ IFD0: { ImageDescription: `photograph ${seed}` } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** Makes with sharp alone what an upload waits for: the thumbnail. */
async function makeThumbnail(picture: Buffer): Promise<void> {
  await sharp(picture).autoOrient().resize(320, 320, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
}

/** Makes with sharp alone all that an upload causes: the thumbnail, and the preview that the server makes later. */
async function makeThumbnailAndPreview(picture: Buffer): Promise<void> {
  await makeThumbnail(picture);
  await sharp(picture).autoOrient().resize(1600, 1600, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const BOUNDARY = 'between-two-parts';

/**
 * Uploads a photograph, given as buffers. Writes the form by hand, because `FormData` would use the CPU cores that are
 * measured.
 */
export function send({ url, token }: BenchServer, dateId: string, photo: readonly Buffer[]): Promise<void> {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`;
  const body = [
    Buffer.from(`${part('"PlannedDateId"')}${dateId}\r\n${part('"ImageFile"; filename="us.jpg"')}`),
    ...photo,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ];
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
  };
  return new Promise((done, failed) => {
    const sending = request(`${url}/api/Memories`, { method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 201) done();
        else failed(new Error(`An upload failed with ${answer.statusCode}`));
      });
    });
    sending.on('error', failed);
    for (const bytes of body) sending.write(bytes);
    sending.end();
  });
}

/** Runs `work` for a batch, concurrently. Returns the total time in milliseconds. */
function measureBatch(work: (n: number) => Promise<unknown>): Promise<number> {
  const queue = Array.from({ length: BATCH_SIZE }, (_, n) => n);
  const worker = async () => {
    for (let n = queue.shift(); n !== undefined; n = queue.shift()) await work(n);
  };
  return measureMs(() => Promise.all(Array.from({ length: CONCURRENCY }, worker)));
}

/** The median time of several batches, in milliseconds. */
async function medianBatch(work: (n: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    took.push(await measureBatch((n) => work(batch * BATCH_SIZE + n)));
  }
  return median(took);
}

/** The time of uploads one after another, beside previews: the 95th percentile as a multiple of the median. */
async function spreadBesidePreviews(upload: (n: number) => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < UPLOADS_BESIDE_PREVIEWS; n += 1) took.push(await measureMs(() => upload(n)));
  return percentile(took, 0.95) / median(took);
}

/** Measures the upload of a small photograph with a malicious EXIF block, and what it adds to the server's peak memory. */
async function benchBomb(server: BenchServer, date: string): Promise<Figure> {
  const bomb = jpegWithExif(
    await sharp(await makePhoto(1))
      .resize(64)
      .jpeg()
      .toBuffer(),
    exifBomb(),
  );
  const before = (await server.usage()).peakBytes;
  const tookMs = await measureMs(() => send(server, date, [bomb]));
  const grown = ((await server.usage()).peakBytes - before) / 1024 / 1024;
  return {
    what: 'upload whose EXIF block claims 5,000 long lists, ms',
    figure: tookMs.toFixed(0),
    goal: `at most 500, and 10 MB more memory (${grown.toFixed(0)} MB)`,
  };
}

/** Measures uploads against sharp alone, and the server's peak memory during them. */
export async function benchUploads(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    const date = await planDate(server);
    const bomb = await benchBomb(server, date);
    const base = await makePhoto(0);
    const upload = (n: number) => send(server, date, [base, Buffer.from(`${n}`)]);
    // First, because the server makes previews after uploads, on the same cores.
    const floor = await medianBatch(() => makeThumbnail(base));
    await upload(0);
    const ratios: number[] = [];
    const toBoth: number[] = [];
    const took: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const thumbnailMs = await measureMs(() => makeThumbnail(base));
      const uploadMs = await measureMs(() => upload(round));
      took.push(uploadMs);
      ratios.push(uploadMs / thumbnailMs);
      toBoth.push(uploadMs / (await measureMs(() => makeThumbnailAndPreview(base))));
    }
    const many = await medianBatch((n) => upload(1_000 + n));
    const spread = await spreadBesidePreviews((n) => upload(2_000 + n));
    const peak = (await server.usage()).peakBytes / 1024 / 1024;
    return [
      {
        what: '12-megapixel upload : sharp making the thumbnail, time',
        figure: median(ratios).toFixed(2),
        goal: `at most 1.50 (${Math.round(median(took))} ms)`,
      },
      {
        what: '12-megapixel upload : sharp making thumbnail and preview, time',
        figure: median(toBoth).toFixed(2),
        goal: 'for information',
      },
      {
        what: 'uploads beside previews of earlier ones : their median, time of p95',
        figure: spread.toFixed(2),
        goal: 'at most 2.00',
      },
      {
        what: '100 photographs : sharp on all cores, photographs a second',
        figure: (floor / many).toFixed(2),
        goal: 'at least 0.85',
      },
      { what: 'peak server memory during uploads, MB', figure: peak.toFixed(0), goal: 'at most 250' },
      bomb,
    ];
  } finally {
    await server.stop();
  }
}
