import { setTimeout as sleep } from 'node:timers/promises';
import type { Cost, RequestKind } from '../scale/costs.ts';
import { assumptions, averageRequest } from '../scale/model.ts';
import { addSmallPhotos, type CountedServer, median, planDate, startCountedServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { makePhoto, send } from './uploads.ts';

const ROUNDS = 15;
/** Requests a second at which the model is compared with this server. */
const CHECKED_RATES = [4, 12];
const CHECKED_SECONDS = 20;
const DATES = 50;
const PHOTOS = 24;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
/** Previews are made in the background after an upload, within this time. */
const BACKGROUND_MS = 4_000;

/** A kind of request. `run` resolves with the bytes of its response. */
interface Kind {
  /** Its name in the model. */
  readonly kind: RequestKind;
  readonly name: string;
  readonly run: (round: number) => Promise<number>;
  /** Whether to wait for the work that it leaves to the background. */
  readonly hasBackground?: boolean;
}

/**
 * Measures what each kind of request costs on PostgreSQL and S3: processor time of the node, statements, and bytes from
 * the database, from the store and to the client. Each request follows a change by the couple, so that nothing is
 * memoized. `docs/scale.md` and the model use these figures.
 */
export async function benchRequests(): Promise<Figure[]> {
  const server = await startCountedServer();
  try {
    const kinds = await prepare(server);
    const figures: Figure[] = [];
    for (const kind of kinds) {
      const cost = await measureCost(server, kind);
      figures.push({ what: kind.name, figure: `${cost.processorMs.toFixed(1)} ms`, goal: describe(cost) });
    }
    for (const perSecond of CHECKED_RATES) figures.push(...(await checkModel(server, kinds, perSecond)));
    return figures;
  } finally {
    await server.stop();
  }
}

function describe({ statements, databaseBytes, storeBytes, clientBytes }: Cost): string {
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
  return `${statements} statements, ${kb(databaseBytes)} from the database, ${kb(storeBytes)} from the store, ${kb(clientBytes)} to the client`;
}

async function prepare(server: CountedServer): Promise<Kind[]> {
  for (let day = 1; day < DATES; day += 1) await planDate(server, day);
  const thumbnails = await addSmallPhotos(server, PHOTOS);
  const date = await planDate(server);
  const photo = await makePhoto(0);
  const path = (round: number) => thumbnails[round % thumbnails.length] ?? '';
  const image = (size: string) => (round: number) => read(server, path(round).replace('thumbnail', size));
  const get = (address: string) => () => read(server, address);
  return [
    { kind: 'signIn', name: 'sign in', run: () => signIn(server) },
    { kind: 'page', name: 'page of the dashboard, drawn for a phone', run: () => readPage(server) },
    { kind: 'dashboard', name: 'dashboard', run: get('/api/Stats/dashboard') },
    { kind: 'list', name: `dates (${DATES})`, run: get('/api/PlannedDates') },
    { kind: 'gallery', name: `gallery (${PHOTOS} photos)`, run: get('/api/Memories?count=36') },
    { kind: 'thumbnail', name: 'thumbnail', run: image('thumbnail') },
    { kind: 'preview', name: 'preview', run: image('preview') },
    { kind: 'change', name: 'change of an idea', run: (round) => change(server, `Idea ${round}`) },
    {
      kind: 'plan',
      name: 'idea created and date planned',
      run: async (round) => (await planDate(server, 1 + (round % 300))).length,
    },
    {
      kind: 'photo',
      name: 'photo of 12 megapixels, with its preview',
      run: async (round) => {
        await send(server, date, [photo, Buffer.from(`${round}`)]);
        return 0;
      },
      hasBackground: true,
    },
  ];
}

async function measureCost(server: CountedServer, { run, hasBackground = false }: Kind): Promise<Cost> {
  const costs: Cost[] = [];
  // The first round loads code, and is not counted.
  for (let round = 0; round <= (hasBackground ? 5 : ROUNDS); round += 1) {
    await change(server, `Before ${round}`);
    const cost = await costOf(server, async () => {
      const clientBytes = await run(round);
      if (hasBackground) await sleep(BACKGROUND_MS);
      return clientBytes;
    });
    if (round > 0) costs.push(cost);
  }
  const typical = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return {
    processorMs: typical('processorMs'),
    statements: typical('statements'),
    databaseBytes: typical('databaseBytes'),
    storeBytes: typical('storeBytes'),
    clientBytes: typical('clientBytes'),
  };
}

/** Sends the model's mix of requests at a constant rate, and compares what they cost with what the model predicts. */
async function checkModel(server: CountedServer, kinds: readonly Kind[], perSecond: number): Promise<Figure[]> {
  const requests = mixOf(kinds, perSecond * CHECKED_SECONDS);
  const cost = await costOf(server, async () => {
    const running = requests.map(async (kind, n) => {
      await sleep((n * 1000) / perSecond);
      return kind.run(10_000 * perSecond + n);
    });
    const sizes = await Promise.all(running);
    await sleep(BACKGROUND_MS);
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  });
  const predicted = averageRequest();
  const ratio = (measured: number, expected: number) => (measured / requests.length / expected).toFixed(2);
  const what = `${perSecond} requests a second : the model's`;
  return [
    {
      what: `${what} processor time`,
      figure: ratio(cost.processorMs, predicted.processorMs),
      goal: '0.4 to 1.2 (a lone request finds colder caches)',
    },
    {
      what: `${what} statements`,
      figure: ratio(cost.statements, predicted.statements),
      goal: '0.8 to 1.2',
    },
  ];
}

/** `count` requests in the shares that the model assumes, evenly mixed. */
function mixOf(kinds: readonly Kind[], count: number): Kind[] {
  const total = kinds.reduce((sum, { kind }) => sum + assumptions.weekly[kind], 0);
  const due = new Map(kinds.map((kind) => [kind, 0]));
  return Array.from({ length: count }, () => {
    for (const [kind, amount] of due) due.set(kind, amount + assumptions.weekly[kind.kind] / total);
    const [next] = [...due].reduce((most, one) => (one[1] > most[1] ? one : most));
    due.set(next, (due.get(next) ?? 0) - 1);
    return next;
  });
}

/** What `work` costs. It resolves with the bytes sent to the client. */
async function costOf(server: CountedServer, work: () => Promise<number>): Promise<Cost> {
  const before = await snapshot(server);
  const clientBytes = await work();
  const after = await snapshot(server);
  return {
    processorMs: after.processorMs - before.processorMs,
    statements: after.statements - before.statements,
    databaseBytes: after.databaseBytes - before.databaseBytes,
    storeBytes: after.storeBytes - before.storeBytes,
    clientBytes,
  };
}

async function snapshot({ usage, database, store }: CountedServer) {
  const { processorMs } = await usage();
  const { statements, received } = database.traffic();
  return { processorMs, statements, databaseBytes: received, storeBytes: store.traffic().received };
}

async function read(server: CountedServer, path: string): Promise<number> {
  const response = await server.send('GET', path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

async function readPage({ url, cookie }: CountedServer): Promise<number> {
  const response = await fetch(`${url}/dashboard`, { headers: { cookie, 'user-agent': PHONE, accept: 'text/html' } });
  return (await response.arrayBuffer()).byteLength;
}

async function signIn({ url }: CountedServer): Promise<number> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.org', password: 'a bench in the park' }),
  });
  if (response.status !== 200) throw new Error(`Signing in: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

let ideaPath: string | null = null;

/** Creates an idea once, and changes its title. */
async function change(server: CountedServer, title: string): Promise<number> {
  if (ideaPath === null) {
    const created = await server.send('POST', '/api/DateIdeas', { title: 'A walk', category: 'Outdoor' });
    ideaPath = `/api/DateIdeas/${((await created.json()) as { id: string }).id}`;
  }
  const response = await server.send('PUT', ideaPath, { title, category: 'Outdoor' });
  if (response.status !== 200) throw new Error(`${ideaPath}: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}
