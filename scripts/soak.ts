import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Memory } from '../src/memories/contract.ts';
import { newBucket, S3_KEYS, startCeph } from '../tests/support/ceph.ts';
import { joinAsBen, Partner, registerAda } from '../tests/support/client.ts';
import { planDate } from '../tests/support/factories.ts';
import { makeJpeg } from '../tests/support/images.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { canMount, openSmallDisk, type SmallDisk } from '../tests/support/small-disk.ts';
import { type SpawnedServer, spawnServer } from '../tests/support/spawn-server.ts';
import { upload } from '../tests/support/uploads.ts';
import { provision } from './lib/provision.ts';
import { type Asked, type Fate, judge } from './soak/ledger.ts';

/**
 * `npm run soak -- [MINUTES] [sqlite|postgres]`: two partners use a real server in parallel while it is killed, paused,
 * loses its database connections, and its disk fills up. At the end every acknowledged effect must be there, and none
 * that nobody asked for. `sqlite` (the default) keeps photographs in a folder, `postgres` in an S3 store; both servers
 * are started here. The full disk needs root on Linux and is left out elsewhere.
 */

const minutes = Number(process.argv[2] ?? 5);
const engine = process.argv[3] ?? 'sqlite';
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(engine)) {
  console.error('Usage: npm run soak -- [MINUTES] [sqlite|postgres]');
  process.exit(1);
}
const HANDS = 4;
const DISK_MB = 2048;
/** Keeps an hour's photographs within the disk, and leaves some processor to whoever watches. */
const REST_MS = 150;
/** A token is good for an hour at most. */
const SIGN_IN_EVERY_MS = 10 * 60_000;

interface Wish {
  readonly mark: string;
  readonly kind: 'idea' | 'memory';
  readonly key: string;
  readonly sha256: string | null;
  made: Fate;
  deleted: Fate | null;
  id: string | null;
}

const wishes: Wish[] = [];
const counts = { kills: 0, pauses: 0, fullDisks: 0, lostConnections: 0, calls: 0 };
let server: SpawnedServer;
let disk: SmallDisk | null = null;
let us: readonly [Partner, Partner];
let data: Data;
let dateId: string;
const shift = { isOver: false };

/** What an answer says of an effect. Only a clear refusal means that there is none: a 500 or 503 may have come too late. */
function fateOf(status: number): Fate {
  if (status < 300) return 'acknowledged';
  // 409: the first try of this key is still at it.
  return status !== 409 && (status === 507 || status < 500) ? 'refused' : 'unknown';
}

async function attempt(work: () => Promise<{ status: number; body: unknown }>): Promise<{ fate: Fate; body: unknown }> {
  counts.calls += 1;
  try {
    const { status, body } = await work();
    return { fate: fateOf(status), body };
  } catch {
    // Cut off on its way.
    return { fate: 'unknown', body: null };
  }
}

async function make(who: Partner, wish: Wish, photo: Buffer | null, again = false): Promise<void> {
  const headers = { 'idempotency-key': wish.key };
  const body = { title: wish.mark, category: 'Food' } as const;
  const { fate, body: answer } = await attempt(() =>
    photo === null
      ? who.at(server).call('POST /api/DateIdeas', { body }, { headers })
      : upload(who.at(server), photo, { dateId, caption: wish.mark }, wish.key),
  );
  // A refusal of the second try says nothing of the first.
  wish.made = fate === 'refused' && again ? 'unknown' : fate;
  if (fate === 'acknowledged') wish.id = (answer as { id: string }).id;
}

async function remove(who: Partner, wish: Wish): Promise<void> {
  const name = wish.kind === 'idea' ? 'DELETE /api/DateIdeas/{id}' : 'DELETE /api/Memories/{id}';
  wish.deleted = 'unknown';
  wish.deleted = (await attempt(() => who.at(server).call(name, { params: { id: wish.id ?? '' } }))).fate;
}

/** One pair of hands: makes, tries again what was cut off, now and then deletes. */
async function work(hand: number): Promise<void> {
  for (let count = 0; !shift.isOver; count += 1) {
    const who = us[hand % 2] as Partner;
    const kind = count % 3 === 0 ? 'memory' : 'idea';
    const mark = `${kind} ${hand}-${count}`;
    const photo = kind === 'memory' ? await makeJpeg({ seed: hand * 100_000 + count, width: 300 }) : null;
    const sha256 = photo === null ? null : createHash('sha256').update(photo).digest('hex');
    const key = crypto.randomUUID();
    const wish: Wish = { mark, kind, sha256, key, made: 'unknown', deleted: null, id: null };
    wishes.push(wish);
    await make(who, wish, photo);
    if (wish.made === 'unknown' && Math.random() < 0.7) {
      await sleep(200);
      await make(who, wish, photo, true);
    }
    if (wish.id !== null && Math.random() < 0.2) await remove(who, wish);
    await sleep(REST_MS);
  }
}

/** Looks whether what is there is what should be: while nobody works. */
async function look(): Promise<string[]> {
  const [ada, ben] = us.map((who) => who.at(server)) as [Partner, Partner];
  const { body: ideas } = await ada.call('GET /api/DateIdeas');
  const memories = await allMemories(ben);
  const asked = (kind: Wish['kind']): Asked[] => wishes.filter((wish) => wish.kind === kind);
  const faults = [
    ...judge(
      asked('idea'),
      ideas.map(({ title }) => title).filter((title) => title.startsWith('idea ')),
    ),
    ...judge(
      asked('memory'),
      memories.map(({ caption }) => caption ?? ''),
    ),
  ];
  for (const { caption, imageUrl } of memories) {
    const response = await fetch(server.url + imageUrl, { headers: { cookie: ada.cookie } });
    const sha256 = createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
    const wish = wishes.find(({ mark }) => mark === caption);
    if (sha256 !== wish?.sha256) faults.push(`${caption} is not the photograph that was sent.`);
  }
  return faults;
}

async function allMemories(who: Partner): Promise<Memory[]> {
  const all: Memory[] = [];
  let cursor: string | undefined;
  do {
    const query = { count: '500', ...(cursor === undefined ? {} : { cursor }) };
    const { body, headers } = await who.call('GET /api/Memories', { query });
    all.push(...body);
    const next = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    cursor = next === undefined ? undefined : decodeURIComponent(next);
  } while (cursor !== undefined);
  return all;
}

/** Where the server keeps its data, and how its database connections are ended. */
interface Data {
  readonly env: Readonly<Record<string, string>>;
  readonly endConnections: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

async function startData(): Promise<Data> {
  if (engine === 'sqlite') return { env: {}, endConnections: null, stop: async () => undefined };
  const { ceph: advice } = provision(['ceph']);
  if (advice !== null) throw new Error(advice);
  const [postgres, s3] = await Promise.all([startPostgres(), startCeph()]);
  const bucket = await newBucket(s3.url, S3_KEYS);
  return {
    env: {
      DATABASE_URL: postgres.url,
      STORAGE_URL: `s3://${bucket}?endpoint=${encodeURIComponent(s3.url)}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    },
    endConnections: async () => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
      await client.end();
    },
    stop: async () => {
      await Promise.all([postgres.stop(), s3.stop()]);
    },
  };
}

async function disturb(start: () => Promise<SpawnedServer>): Promise<void> {
  const luck = Math.random();
  if (luck < 0.4) {
    counts.kills += 1;
    await server.kill('SIGKILL');
    server = await start();
  } else if (luck < 0.6 && data.endConnections !== null) {
    counts.lostConnections += 1;
    await data.endConnections();
  } else if (luck < 0.75 || disk === null) {
    counts.pauses += 1;
    process.kill(server.pid, 'SIGSTOP');
    await sleep(500 + Math.random() * 3000);
    process.kill(server.pid, 'SIGCONT');
  } else {
    counts.fullDisks += 1;
    await disk.fill();
    await sleep(2000);
    await disk.makeRoom();
  }
}

/** The same partner with a fresh token; the one they had if the server cannot be asked now. */
async function signInAgain(who: Partner): Promise<Partner> {
  const { email, password } = who;
  try {
    const { status, body } = await who.at(server).call('POST /api/auth/login', { body: { email, password } });
    return status === 200 ? new Partner(server.url, body, who.cookie, email, password) : who;
  } catch {
    return who;
  }
}

async function soak(): Promise<string[]> {
  data = await startData();
  disk = canMount ? await openSmallDisk(DISK_MB) : null;
  const folder = disk?.folder ?? (await mkdtemp(join(tmpdir(), 'our-love-story-soak-')));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'fatal', ...data.env };
  const start = () => spawnServer({ env, remove: async () => undefined });
  server = await start();
  try {
    const ada = await registerAda(server);
    us = [ada, await joinAsBen(server, ada)];
    dateId = (await planDate(ada, { idea: { title: 'The soak' } })).id;
    const until = Date.now() + minutes * 60_000;
    let signInAt = Date.now() + SIGN_IN_EVERY_MS;
    const hands = Array.from({ length: HANDS }, (_, hand) => work(hand));
    while (Date.now() < until) {
      await sleep(1000 + Math.random() * 3000);
      await disturb(start);
      if (Date.now() < signInAt) continue;
      us = [await signInAgain(us[0]), await signInAgain(us[1])];
      signInAt += SIGN_IN_EVERY_MS;
    }
    shift.isOver = true;
    await Promise.all(hands);
    // Once more from what is stored alone.
    await server.kill('SIGKILL');
    server = await start();
    us = [await signInAgain(us[0]), await signInAgain(us[1])];
    return await look();
  } finally {
    await server.kill('SIGKILL');
    await (disk === null ? rm(folder, { recursive: true, force: true }) : disk.remove());
    await data.stop();
  }
}

const faults = await soak();
const of = (fate: Fate) => wishes.filter(({ made }) => made === fate).length;
console.log(
  `${engine}: ${counts.calls} calls, ${counts.kills} kills, ${counts.pauses} pauses, ${counts.lostConnections} times all database connections lost, ${counts.fullDisks} full disks: ${of('acknowledged')} acknowledged, ${of('refused')} refused, ${of('unknown')} cut off`,
);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'Everything acknowledged is there, and nothing else.' : `${faults.length} faults.`);
if (faults.length > 0) process.exitCode = 1;
