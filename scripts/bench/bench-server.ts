import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startLocalServices } from '../lib/local-services.ts';
import { SERVER_ENV, SERVER_FLAGS } from '../lib/server-process.ts';
import { root, show } from '../lib/tools.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';

/** What the server's process has used so far. */
export interface Usage {
  /** The peak resident memory, in bytes. */
  readonly peakBytes: number;
  /** The resident memory now, in bytes. */
  readonly residentBytes: number;
  /** Processor time of all its threads, in milliseconds. */
  readonly processorMs: number;
}

/** A server for one benchmark, with a signed-in user. */
export interface BenchServer {
  readonly url: string;
  readonly token: string;
  /** The session cookie: `name=value`. */
  readonly cookie: string;
  send(method: string, path: string, body?: object | FormData): Promise<Response>;
  usage(): Promise<Usage>;
  /** The same after a garbage collection. */
  usageWithoutGarbage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Starts a server on an empty SQLite database in a temporary folder.
 * @param services `DATABASE_URL` of an empty PostgreSQL instead
 */
export async function startBenchServer(services: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const { stop, ...server } = await startOn(folder, services);
  const registered = await server.post('/api/auth/register', {
    email: 'bench@example.org',
    displayName: 'Bench',
    password: 'a bench in the park',
  });
  return {
    ...(await signIn(server, registered)),
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A server on PostgreSQL and S3, with counters between them. */
export interface CountedServer extends BenchServer {
  readonly database: CountingProxy;
  readonly store: CountingProxy;
}

/** Starts empty services, and a server on them. */
export async function startCountedServer(): Promise<CountedServer> {
  const services = await startLocalServices();
  const databaseUrl = new URL(services.databaseUrl);
  const storageUrl = new URL(services.env.STORAGE_URL ?? '');
  const storeUrl = new URL(storageUrl.searchParams.get('endpoint') ?? '');
  const [database, store] = await Promise.all([startCountingProxy(databaseUrl), startCountingProxy(storeUrl)]);
  databaseUrl.host = database.host;
  storeUrl.host = store.host;
  storageUrl.searchParams.set('endpoint', storeUrl.origin);
  const server = await startBenchServer({
    ...services.env,
    DATABASE_URL: databaseUrl.href,
    STORAGE_URL: storageUrl.href,
  });
  return {
    ...server,
    database,
    store,
    stop: async () => {
      await server.stop();
      await services.stop();
      await Promise.all([database.close(), store.close()]);
    },
  };
}

/**
 * Starts a server on the demonstration couple's data, with the built page. The data is created once and kept in
 * `.cache`.
 */
export async function startCoupleServer(): Promise<BenchServer> {
  const folder = join(root, '.cache/bench-couple');
  if (!existsSync(join(folder, 'our-love-story.db'))) {
    process.stderr.write('Creating the demonstration couple (first run only) …\n');
    await rm(folder, { recursive: true, force: true });
    const code = await show(process.execPath, [join(root, 'scripts/seed.ts')], { ...process.env, DATA_DIR: folder });
    if (code !== 0) throw new Error('Could not create the demonstration couple.');
  }
  const server = await startOn(folder);
  const answer = await server.post('/api/auth/login', { email: 'nora@example.org', password: 'demonstration only' });
  return { ...(await signIn(server, answer)), stop: server.stop };
}

async function startOn(folder: string, services: Readonly<Record<string, string>> = {}) {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    execArgv: [...SERVER_FLAGS],
    env: {
      ...SERVER_ENV,
      ...process.env,
      DATA_DIR: folder,
      PORT: '0',
      HOST: '127.0.0.1',
      REGISTRATION: 'open',
      LOG_LEVEL: 'error',
      DATABASE_URL: '',
      STORAGE_URL: '',
      ...services,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const nextMessage = <T>() =>
    new Promise<T>((done, failed) => {
      const onExit = () => failed(new Error('The server ended'));
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        done(message as T);
      });
    });
  const ask = (question: 'usage' | 'usage without garbage') => {
    const answer = nextMessage<Usage>();
    child.send(question);
    return answer;
  };
  const { url } = await nextMessage<{ url: string }>();
  return {
    url,
    post: (path: string, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    usage: () => ask('usage'),
    usageWithoutGarbage: () => ask('usage without garbage'),
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function signIn(
  { url, usage, usageWithoutGarbage }: Pick<BenchServer, 'url' | 'usage' | 'usageWithoutGarbage'>,
  response: Response,
) {
  const { token } = (await response.json()) as { token: string };
  const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  return {
    url,
    token,
    cookie,
    usage,
    usageWithoutGarbage,
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

/** The median; of an even number of values, the higher of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The smallest of the values that is at least as large as this share of them. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
}

/** Creates an idea and plans it `day` days from now. Returns the id of the date. */
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

/** Uploads photographs of 1200 pixels in common aspect ratios. Returns the URLs of their thumbnails. */
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
    if (answer.status !== 201) throw new Error(`An upload failed with ${answer.status}`);
    thumbnails.push(((await answer.json()) as { thumbnailUrl: string }).thumbnailUrl);
  }
  return thumbnails;
}
