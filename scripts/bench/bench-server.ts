import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { SERVER_ENV, SERVER_FLAGS } from '../lib/server-process.ts';
import { root, show } from '../lib/tools.ts';

/** A server of the bench's own, on an empty SQLite place, and somebody signed in to it. */
export interface BenchServer {
  readonly url: string;
  readonly token: string;
  /** What signing in set: `name=value`. */
  readonly cookie: string;
  send(method: string, path: string, body?: object | FormData): Promise<Response>;
  /** The largest memory that the process has held so far, in bytes. */
  peakBytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const place = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const { stop, ...server } = await startOn(place);
  const registered = await server.ask('/api/auth/register', {
    email: 'bench@example.org',
    displayName: 'Bench',
    password: 'a bench in the park',
  });
  return {
    ...(await signedIn(server, registered)),
    stop: async () => {
      await stop();
      await rm(place, { recursive: true, force: true });
    },
  };
}

/**
 * The same on the demonstration couple, with the built page. The couple is made once and kept
 * beside the project's other caches.
 */
export async function startCoupleServer(): Promise<BenchServer> {
  const place = join(root, '.cache/bench-couple');
  if (!existsSync(join(place, 'our-love-story.db'))) {
    process.stderr.write('Making the demonstration couple, once …\n');
    await rm(place, { recursive: true, force: true });
    const made = await show(process.execPath, [join(root, 'scripts/seed.ts')], { ...process.env, DATA_DIR: place });
    if (made !== 0) throw new Error('The demonstration couple could not be made.');
  }
  const server = await startOn(place);
  const answer = await server.ask('/api/auth/login', { email: 'nora@example.org', password: 'demonstration only' });
  return { ...(await signedIn(server, answer)), stop: server.stop };
}

async function startOn(place: string) {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    execArgv: [...SERVER_FLAGS],
    env: {
      ...SERVER_ENV,
      ...process.env,
      DATA_DIR: place,
      PORT: '0',
      HOST: '127.0.0.1',
      REGISTRATION: 'open',
      LOG_LEVEL: 'error',
      DATABASE_URL: '',
      STORAGE_URL: '',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const heard = <T>() => new Promise<T>((done) => child.once('message', (message) => done(message as T)));
  const { url } = await heard<{ url: string }>();
  return {
    url,
    ask: (path: string, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    peakBytes: async () => {
      const answer = heard<{ peakBytes: number }>();
      child.send('peak');
      return (await answer).peakBytes;
    },
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function signedIn({ url, peakBytes }: Pick<BenchServer, 'url' | 'peakBytes'>, answer: Response) {
  const { token } = (await answer.json()) as { token: string };
  const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '');
  return {
    url,
    token,
    cookie,
    peakBytes,
    send: (method: string, path: string, body?: object | FormData) => {
      const isForm = body instanceof FormData;
      const init = {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        body: body === undefined || isForm ? (body ?? null) : JSON.stringify(body),
      };
      return fetch(url + path, init);
    },
  };
}

/** The middle of some measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** A planned date of the server, for what needs one. */
export async function planDate(server: BenchServer, day = 1): Promise<string> {
  const idea = (await (
    await server.send('POST', '/api/DateIdeas', { title: 'A walk by the river', category: 'Outdoor' })
  ).json()) as { id: string };
  const planned = await server.send('POST', '/api/PlannedDates', {
    dateIdeaId: idea.id,
    plannedDateTime: new Date(Date.now() + day * 86_400_000).toISOString(),
    location: 'From the weir to the old bridge',
    notes: 'Bring the blue scarf, and bread for whoever swims by.',
  });
  return ((await planned.json()) as { id: string }).id;
}

/** So many photographs of a planned date, of 1200 pixels, in the proportions that photographs have. */
export async function addSmallPhotos(server: BenchServer, count: number): Promise<string[]> {
  const date = await planDate(server);
  const thumbnails: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [width, height] = [
      [1200, 900],
      [900, 1200],
      [1200, 800],
      [1200, 675],
    ][n % 4] as [number, number];
    const noise = { type: 'gaussian', mean: 90 + n * 4, sigma: 40 } as const;
    const small = await sharp({ create: { width: 60, height: 45, channels: 3, background: '#88776a', noise } })
      .png()
      .toBuffer();
    const picture = await sharp(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).jpeg().toBuffer();
    const form = new FormData();
    form.set('PlannedDateId', date);
    form.set('ImageFile', new File([new Uint8Array(picture)], `${n}.jpg`, { type: 'image/jpeg' }));
    const answer = await server.send('POST', '/api/Memories', form);
    if (answer.status !== 201) throw new Error(`An upload was answered ${answer.status}`);
    thumbnails.push(((await answer.json()) as { thumbnailUrl: string }).thumbnailUrl);
  }
  return thumbnails;
}
