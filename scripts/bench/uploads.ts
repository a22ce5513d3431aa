import { request } from 'node:http';
import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { type BenchServer, median, planDate, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 9;
const MANY = 100;
/** So many hundreds: the first finds the code not yet compiled. */
const HUNDREDS = 3;
/**
 * So many at once, uploads as well as pictures that sharp makes alone: with one a core, each wait for the disk leaves a
 * core idle.
 */
const AT_ONCE = 2 * availableParallelism();

/** A photograph as a phone takes them: 12 megapixels, with grain, so that it compresses as real ones do. */
async function photograph(seed: number): Promise<Buffer> {
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

/** What an upload is answered with, made by sharp alone from memory: the thumbnail. (The preview is made afterwards.) */
async function sharpAlone(picture: Buffer): Promise<void> {
  await sharp(picture).autoOrient().resize(320, 320, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
}

/** All that an upload makes in the end, made by sharp alone: the preview too, which the server makes after its answer. */
async function sharpMakesBoth(picture: Buffer): Promise<void> {
  await sharpAlone(picture);
  await sharp(picture).autoOrient().resize(1600, 1600, { fit: 'inside' }).webp({ effort: 2, quality: 80 }).toBuffer();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const BOUNDARY = 'between-two-parts';

/**
 * Uploads a photograph, given in parts. The form's bytes are sent as they lie there: what a browser does with them is a
 * phone's work, and here would be taken from the very cores that are measured.
 */
function send({ url, token }: BenchServer, dateId: string, photograph: readonly Buffer[]): Promise<void> {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`;
  const body = [
    Buffer.from(`${part('"PlannedDateId"')}${dateId}\r\n${part('"ImageFile"; filename="us.jpg"')}`),
    ...photograph,
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
        else failed(new Error(`An upload was answered ${answer.statusCode}`));
      });
    });
    sending.on('error', failed);
    for (const bytes of body) sending.write(bytes);
    sending.end();
  });
}

/** Does something a hundred times, some at once; answers how long it took, in milliseconds. */
function timedHundred(work: (n: number) => Promise<unknown>): Promise<number> {
  const rest = Array.from({ length: MANY }, (_, n) => n);
  const worker = async () => {
    for (let n = rest.shift(); n !== undefined; n = rest.shift()) await work(n);
  };
  return timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
}

/** Some hundreds, one after the other; answers the median. */
async function hundreds(work: (n: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let hundred = 0; hundred < HUNDREDS; hundred += 1) {
    took.push(await timedHundred((n) => work(hundred * MANY + n)));
  }
  return median(took);
}

/** Uploads against sharp alone, and what the server's memory grows to while photographs come in. */
export async function benchUploads(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    const date = await planDate(server);
    const base = await photograph(0);
    const upload = (n: number) => send(server, date, [base, Buffer.from(`${n}`)]);
    // First of all: in the quiet after uploads the server makes previews, on the cores that are measured here.
    const floor = await hundreds(() => sharpAlone(base));
    await upload(0);
    const ratios: number[] = [];
    const toBoth: number[] = [];
    const took: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const alone = await timed(() => sharpAlone(base));
      const mine = await timed(() => upload(round));
      took.push(mine);
      ratios.push(mine / alone);
      toBoth.push(mine / (await timed(() => sharpMakesBoth(base))));
    }
    const many = await hundreds((n) => upload(1_000 + n));
    const peak = (await server.peakBytes()) / 1024 / 1024;
    return [
      {
        what: '12-megapixel upload : sharp making the thumbnail alone, time',
        figure: median(ratios).toFixed(2),
        goal: `at most 1.50 (${Math.round(median(took))} ms)`,
      },
      {
        what: '12-megapixel upload : sharp making thumbnail and preview, time',
        figure: median(toBoth).toFixed(2),
        goal: 'beside it',
      },
      {
        what: '100 photographs : sharp on all cores, photographs a second',
        figure: (floor / many).toFixed(2),
        goal: 'at least 0.85',
      },
      { what: 'server memory while photographs come in, MB', figure: peak.toFixed(0), goal: 'at most 250' },
    ];
  } finally {
    await server.stop();
  }
}
