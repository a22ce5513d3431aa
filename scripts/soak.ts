import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Partner } from '../tests/support/partner.ts';
import { registerCouple } from '../tests/support/register-couple.ts';
import { canMount, openSmallDisk, type SmallDisk } from '../tests/support/small-disk.ts';
import { type SpawnedServer, spawnServer } from '../tests/support/spawn-server.ts';
import { ensureBuilt } from './lib/ensure-built.ts';
import { type LocalServices, startLocalServices } from './lib/local-services.ts';
import { CoupleLoad } from './soak/couple-load.ts';
import { findBrokenPromises } from './soak/find-broken-promises.ts';
import { countOutcomes } from './soak/ledger.ts';
import { PersistentSender } from './soak/persistent-sender.ts';
import { soakCluster } from './soak/soak-cluster.ts';

/**
 * `npm run soak -- [MINUTES] [sqlite|postgres]`: two couples use a real server in parallel while it is killed, paused,
 * and its disk fills up. They do what the clients of a cluster do (`CoupleLoad`). At the end every acknowledged record
 * must exist, and none that was not requested. `sqlite` (the default) uses a folder for photographs. `postgres` uses
 * PostgreSQL, which is also cut off, and an S3 store; this script starts both. Filling the disk needs root on Linux and
 * is skipped elsewhere.
 *
 * `npm run soak -- --cluster [MINUTES] [SEED]`: sixteen clients use a cluster while its parts fail; see
 * `scripts/soak/soak-cluster.ts`.
 */

if (!(await ensureBuilt(['server']))) throw new Error('Could not build the server; see above.');
if (process.argv[2] === '--cluster') {
  const [, , , forMinutes = 5, seed = Date.now() % 1_000_000] = process.argv.map(Number);
  if (!(forMinutes > 0) || !Number.isInteger(seed)) usage();
  process.exit((await soakCluster(forMinutes, seed)) ? 0 : 1);
}
const minutes = Number(process.argv[2] ?? 5);
const engine = process.argv[3] ?? 'sqlite';
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(engine)) usage();
const COUPLES = 2;
const DISK_MB = 2048;
/** Limits the load, so that an hour's photographs fit on the disk. */
const PAUSE_MS = 150;

const counts = { kills: 0, pauses: 0, fullDisks: 0, lostConnections: 0 };
let server: SpawnedServer;
let disk: SmallDisk | null = null;
/** Null for SQLite. */
let services: LocalServices | null = null;

function usage(): never {
  console.error('Usage: npm run soak -- [MINUTES] [sqlite|postgres], or --cluster [MINUTES] [SEED]');
  process.exit(1);
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

/** Lets a partner call the server that runs now, whose port is another one after each start. */
function follow(who: Partner): Partner {
  return Object.defineProperty(who, 'url', { get: () => server.url });
}

async function registerFollowing(): Promise<[Partner, Partner]> {
  const { ada, ben } = await registerCouple(server);
  return [follow(ada), follow(ben)];
}

/** Runs the load beside the faults. Returns the load, and every broken promise as a sentence. */
async function soak(): Promise<{ load: CoupleLoad; brokenPromises: string[] }> {
  if (engine === 'postgres') services = await startLocalServices();
  disk = canMount ? await openSmallDisk(DISK_MB) : null;
  const folder = disk?.folder ?? (await mkdtemp(join(tmpdir(), 'our-love-story-soak-')));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'fatal', ...services?.env };
  const start = () => spawnServer({ env, remove: async () => undefined });
  server = await start();
  try {
    const couples: [Partner, Partner][] = [];
    while (couples.length < COUPLES) couples.push(await registerFollowing());
    const load = new CoupleLoad(couples, Math.random, PAUSE_MS, new PersistentSender(true));
    const until = Date.now() + minutes * 60_000;
    load.start();
    while (Date.now() < until) {
      await sleep(1000 + Math.random() * 3000);
      await injectFault(start);
    }
    await load.stop();
    // After a restart, only what is stored remains.
    await server.kill('SIGKILL');
    server = await start();
    return { load, brokenPromises: [...(await findBrokenPromises(load.couples)), ...load.sender.brokenPromises] };
  } finally {
    await server.kill('SIGKILL');
    await (disk === null ? rm(folder, { recursive: true, force: true }) : disk.remove());
    await services?.stop();
  }
}

const { load, brokenPromises } = await soak();
const { acknowledged, refused, unknown } = countOutcomes(load.couples.flatMap(({ effects }) => effects));
const calls = Object.values(load.sender.calls).reduce((sum, count) => sum + count, 0);
console.log(
  `${engine}: ${calls} calls, ${counts.kills} kills, ${counts.pauses} pauses, ${counts.lostConnections} lost database connections, ${counts.fullDisks} full disks: ${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown`,
);
for (const sentence of brokenPromises) console.log(sentence);
console.log(brokenPromises.length === 0 ? 'Every promise was kept.' : `${brokenPromises.length} broken promises.`);
if (brokenPromises.length > 0) process.exitCode = 1;
