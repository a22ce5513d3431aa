import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { joinAsBen, Partner, registerAda, registerCouple } from '../tests/support/client.ts';
import { planDate } from '../tests/support/factories.ts';
import { makeJpeg } from '../tests/support/images.ts';
import { canMount, openSmallDisk, type SmallDisk } from '../tests/support/small-disk.ts';
import { type SpawnedServer, spawnServer } from '../tests/support/spawn-server.ts';
import { upload } from '../tests/support/uploads.ts';
import { ensureBuilt } from './lib/builds.ts';
import { type LocalServices, startLocalServices } from './lib/local-services.ts';
import { soakCluster } from './soak/cluster-soak.ts';
import { CoupleLoad } from './soak/couple-load.ts';
import { findFaults, type LedgerEntry, type Outcome } from './soak/ledger.ts';
import { Persistence } from './soak/persistence.ts';
import { readAllMemories } from './soak/read-memories.ts';
import { findLoadFaults } from './soak/verify-load.ts';

/**
 * `npm run soak -- [MINUTES] [sqlite|postgres]`: two couples use a real server in parallel while it is killed, paused,
 * cut off from its database, and its disk fills up. One adds and deletes ideas and photographs; the other plans dates,
 * some as surprises, and writes notes, as in a cluster (`CoupleLoad`). At the end every acknowledged record must exist,
 * and none that was not requested. `sqlite` (the default) uses a folder for photographs, `postgres` an S3 store; this
 * script starts both services. Filling the disk needs root on Linux and is skipped elsewhere.
 *
 * `npm run soak -- --cluster MINUTES [SEED]`: sixteen clients use a cluster while its parts fail; see
 * `scripts/soak/cluster-soak.ts`.
 */

if (!(await ensureBuilt(['server']))) throw new Error('Could not build the server; see above.');
if (process.argv[2] === '--cluster') {
  const [, , , forMinutes = 5, seed = Date.now() % 1_000_000] = process.argv.map(Number);
  if (!(forMinutes > 0) || !Number.isInteger(seed)) usage();
  process.exit((await soakCluster(forMinutes, seed)) ? 0 : 1);
}
const minutes = Number(process.argv[2] ?? 5);
const engine = process.argv[3] ?? 'sqlite';
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(engine)) {
  usage();
}
const WORKERS = 4;
const DISK_MB = 2048;
/** Limits the load, so that an hour's photographs fit on the disk. */
const PAUSE_MS = 150;
/** Tokens expire after an hour. */
const SIGN_IN_EVERY_MS = 10 * 60_000;

interface SoakRecord {
  readonly label: string;
  readonly kind: 'idea' | 'memory';
  readonly key: string;
  readonly sha256: string | null;
  created: Outcome;
  deleted: Outcome | null;
  id: string | null;
}

const records: SoakRecord[] = [];
const counts = { kills: 0, pauses: 0, fullDisks: 0, lostConnections: 0, calls: 0 };
let server: SpawnedServer;
let disk: SmallDisk | null = null;
let partners: readonly [Partner, Partner];
/** Null for SQLite. */
let services: LocalServices | null = null;
let dateId: string;
const workers = { isStopping: false };
/** How many changes of the couple that plans dates have each outcome. */
const planned: Record<Outcome, number> = { acknowledged: 0, refused: 0, unknown: 0 };

function usage(): never {
  console.error('Usage: npm run soak -- [MINUTES] [sqlite|postgres], or --cluster MINUTES [SEED]');
  process.exit(1);
}

/** The outcome by status. After a 500 or 503 it is unknown: the error may have occurred after the commit. */
function outcomeOf(status: number): Outcome {
  if (status < 300) return 'acknowledged';
  // 409: the first request with this key is still in progress.
  return status !== 409 && (status === 507 || status < 500) ? 'refused' : 'unknown';
}

async function attempt(
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<{ outcome: Outcome; body: unknown }> {
  counts.calls += 1;
  try {
    const { status, body } = await work();
    return { outcome: outcomeOf(status), body };
  } catch {
    // The connection was lost.
    return { outcome: 'unknown', body: null };
  }
}

async function create(who: Partner, record: SoakRecord, photo: Buffer | null, isRetry = false): Promise<void> {
  const headers = { 'idempotency-key': record.key };
  const body = { title: record.label, category: 'Food' } as const;
  const { outcome, body: reply } = await attempt(() =>
    photo === null
      ? who.at(server).call('POST /api/DateIdeas', { body }, { headers })
      : upload(who.at(server), photo, { dateId, caption: record.label }, record.key),
  );
  // A refused retry says nothing about the first request.
  record.created = outcome === 'refused' && isRetry ? 'unknown' : outcome;
  if (outcome === 'acknowledged') record.id = (reply as { id: string }).id;
}

async function remove(who: Partner, record: SoakRecord): Promise<void> {
  const name = record.kind === 'idea' ? 'DELETE /api/DateIdeas/{id}' : 'DELETE /api/Memories/{id}';
  record.deleted = 'unknown';
  record.deleted = (await attempt(() => who.at(server).call(name, { params: { id: record.id ?? '' } }))).outcome;
}

/** One of the parallel clients: creates records, retries unknown outcomes, and deletes some. */
async function runWorker(worker: number): Promise<void> {
  for (let count = 0; !workers.isStopping; count += 1) {
    const who = partners[worker % 2] as Partner;
    const kind = count % 3 === 0 ? 'memory' : 'idea';
    const label = `${kind} ${worker}-${count}`;
    const photo = kind === 'memory' ? await makeJpeg({ seed: worker * 100_000 + count, width: 300 }) : null;
    const sha256 = photo === null ? null : createHash('sha256').update(photo).digest('hex');
    const key = crypto.randomUUID();
    const record: SoakRecord = { label, kind, sha256, key, created: 'unknown', deleted: null, id: null };
    records.push(record);
    await create(who, record, photo);
    if (record.created === 'unknown' && Math.random() < 0.7) {
      await sleep(200);
      await create(who, record, photo, true);
    }
    if (record.id !== null && Math.random() < 0.2) await remove(who, record);
    await sleep(PAUSE_MS);
  }
}

/** Compares the stored records and photographs with what was requested. Call it when no worker runs. */
async function verifyStored(): Promise<string[]> {
  const [ada, ben] = partners.map((who) => who.at(server)) as [Partner, Partner];
  const { body: ideas } = await ada.call('GET /api/DateIdeas');
  const memories = await readAllMemories(ben);
  const entries = (kind: SoakRecord['kind']): LedgerEntry[] => records.filter((record) => record.kind === kind);
  const faults = [
    ...findFaults(
      entries('idea'),
      ideas.map(({ title }) => title).filter((title) => title.startsWith('idea ')),
    ),
    ...findFaults(
      entries('memory'),
      memories.map(({ caption }) => caption ?? ''),
    ),
  ];
  for (const { caption, imageUrl } of memories) {
    const response = await fetch(server.url + imageUrl, { headers: { cookie: ada.cookie } });
    const sha256 = createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
    const record = records.find(({ label }) => label === caption);
    if (sha256 !== record?.sha256) faults.push(`${caption} is not the uploaded photograph.`);
  }
  return faults;
}

/** Ends all connections of the server to the database. */
async function endConnections(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
  await client.end();
}

/** Kills or pauses the server, ends its database connections, or fills its disk. */
async function injectFault(start: () => Promise<SpawnedServer>): Promise<void> {
  const chance = Math.random();
  if (chance < 0.4) {
    counts.kills += 1;
    await server.kill('SIGKILL');
    server = await start();
  } else if (chance < 0.6 && services !== null) {
    counts.lostConnections += 1;
    await endConnections(services.databaseUrl);
  } else if (chance < 0.75 || disk === null) {
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

/** The partner with a fresh token, or unchanged if the server does not respond. */
async function signInAgain(who: Partner): Promise<Partner> {
  const { email, password } = who;
  try {
    const { status, body } = await who.at(server).call('POST /api/auth/login', { body: { email, password } });
    return status === 200 ? new Partner(server.url, body, who.cookie, email, password) : who;
  } catch {
    return who;
  }
}

/** Lets a partner call the server that runs now, whose port is another one after each start. */
function follow(who: Partner): Partner {
  return Object.defineProperty(who, 'url', { get: () => server.url });
}

async function soak(): Promise<string[]> {
  if (engine === 'postgres') services = await startLocalServices();
  disk = canMount ? await openSmallDisk(DISK_MB) : null;
  const folder = disk?.folder ?? (await mkdtemp(join(tmpdir(), 'our-love-story-soak-')));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'fatal', ...services?.env };
  const start = () => spawnServer({ env, remove: async () => undefined });
  server = await start();
  try {
    const ada = await registerAda(server);
    partners = [ada, await joinAsBen(server, ada)];
    const planners = await registerCouple(server);
    const couple = [follow(planners.ada), follow(planners.ben)] as const;
    const load = new CoupleLoad([couple], Math.random, PAUSE_MS, new Persistence(true));
    dateId = (await planDate(ada, { idea: { title: 'The soak' } })).id;
    const until = Date.now() + minutes * 60_000;
    let signInAt = Date.now() + SIGN_IN_EVERY_MS;
    const running = Array.from({ length: WORKERS }, (_, worker) => runWorker(worker));
    load.start();
    while (Date.now() < until) {
      await sleep(1000 + Math.random() * 3000);
      await injectFault(start);
      if (Date.now() < signInAt) continue;
      partners = [await signInAgain(partners[0]), await signInAgain(partners[1])];
      signInAt += SIGN_IN_EVERY_MS;
    }
    workers.isStopping = true;
    await Promise.all([...running, load.stop()]);
    // After a restart, only what is stored remains.
    await server.kill('SIGKILL');
    server = await start();
    partners = [await signInAgain(partners[0]), await signInAgain(partners[1])];
    for (const { created } of load.couples.flatMap(({ effects }) => effects)) planned[created] += 1;
    return [...(await verifyStored()), ...(await findLoadFaults(load.couples)), ...load.persistence.faults];
  } finally {
    await server.kill('SIGKILL');
    await (disk === null ? rm(folder, { recursive: true, force: true }) : disk.remove());
    await services?.stop();
  }
}

const faults = await soak();
const countOf = (outcome: Outcome) => records.filter(({ created }) => created === outcome).length;
console.log(
  `${engine}: ${counts.calls} calls, ${counts.kills} kills, ${counts.pauses} pauses, ${counts.lostConnections} lost database connections, ${counts.fullDisks} full disks: ${countOf('acknowledged')} acknowledged, ${countOf('refused')} refused, ${countOf('unknown')} unknown`,
);
console.log(
  `Dates, surprises and notes: ${planned.acknowledged} acknowledged, ${planned.refused} refused, ${planned.unknown} unknown`,
);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'Every acknowledged record exists, and no others.' : `${faults.length} faults.`);
if (faults.length > 0) process.exitCode = 1;
