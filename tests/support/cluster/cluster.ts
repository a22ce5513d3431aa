import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdtempSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { hasCeph, newBucket, S3_KEYS, type StartedCeph, startCeph } from '../ceph.ts';
import { type DaemonOptions, NOBODY, startDaemon, untilReady } from '../daemons.ts';
import { freePorts } from '../free-ports.ts';
import { startServer } from '../spawn-server.ts';
import { ClusterPart } from './cluster-part.ts';
import { fillTemplate, makeFolder, writeConfig } from './config-files.ts';
import { DatabasePart } from './database-part.ts';
import { linkNode, type NodeLinks } from './node-links.ts';
import { databaseInRole, etcdLeader } from './roles.ts';

const run = promisify(execFile);

/** The programs of Debian's etcd-server, patroni, haproxy and pgbouncer. */
const PROGRAMS = ['etcd', 'patroni', 'haproxy', 'pgbouncer'];

/** The folder with PostgreSQL's programs in Debian's package `postgresql`, the newest version; null without. */
const POSTGRES_BIN =
  globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
    .sort()
    .at(-1)
    ?.replace(/\/\w+$/, '') ?? null;

/** Whether all programs of a cluster are installed. */
export function hasCluster(): boolean {
  return POSTGRES_BIN !== null && hasCeph() && PROGRAMS.every((program) => pathOf(program) !== null);
}

/** The path of a program; null if it isn't installed. Debian has some in a folder that is only on root's PATH. */
function pathOf(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find(existsSync) ?? null;
}

const NUMBERS = [1, 2, 3] as const;
/** How long the databases have until they replicate, and HAProxy until it finds the nodes ready. */
const READY_MS = 180_000;

/** What differs from a host's cluster, for tests of faults. */
export interface ClusterOptions {
  /** Whether each node has TCP proxies to the database and the store, which can be cut. */
  readonly hasLinks?: boolean;
  /** Whether the nodes may send reminders to a push service on this machine. */
  readonly localPush?: boolean;
  /** Whether the nodes make nightly backups, each into a folder of its own. */
  readonly hasBackups?: boolean;
}

/**
 * What a host with many couples runs, on this machine, with the files in `deploy/cluster`: three nodes of the app behind
 * HAProxy; three PostgreSQL under Patroni with synchronous replication, which three etcd elect, behind HAProxy and
 * PgBouncer; and Ceph's gateway with three stores. Everything is in a temporary folder, on free ports of 127.0.0.1.
 */
export class Cluster {
  readonly etcd: ClusterPart[] = [];
  readonly databases: DatabasePart[] = [];
  readonly nodes: ClusterPart[] = [];
  /** The connections of each node, with `hasLinks`. */
  readonly links: NodeLinks[] = [];
  readonly #options: ClusterOptions;
  readonly #postgresPassword = randomBytes(12).toString('hex');
  readonly #patroniPassword = randomBytes(12).toString('hex');
  #folder = '';
  #values: Record<string, string> = {};
  #proxy: ClusterPart | null = null;
  #pooler: ClusterPart | null = null;
  #ceph: Promise<StartedCeph> | null = null;
  #store: StartedCeph | null = null;
  #stopping: Promise<void> | null = null;

  constructor(options: ClusterOptions = {}) {
    this.#options = options;
  }

  /** Starts everything, and stops it again if a part doesn't start. Throws if `stop` is called meanwhile. */
  async start(): Promise<void> {
    this.#folder = mkdtempSync(join(tmpdir(), 'our-love-story-cluster-'));
    try {
      await this.#prepare();
      this.#ceph = startCeph(NUMBERS.length);
      // Awaited below; until then, its failure is not unhandled.
      this.#ceph.catch(() => undefined);
      await this.#startDatabases();
      await this.#startProxies();
      await this.#untilReplicating();
      await this.#createDatabase();
      this.#store = await this.#ceph;
      await this.#startNodes(await newBucket(this.#store.url, S3_KEYS));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends every process and deletes the folder. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** The address of the app, through HAProxy. */
  get url(): string {
    return `http://${this.#value('APP')}`;
  }

  /** The addresses of the primary: through PgBouncer, and through HAProxy only. */
  get databaseUrls(): { readonly pooled: string; readonly direct: string } {
    const at = (address: string) =>
      `postgres://our_love_story:${this.#value('APP_PASSWORD')}@${address}/our_love_story`;
    return { pooled: at(this.#value('POOLER')), direct: at(this.#value('PRIMARY')) };
  }

  /** The folders for nightly backups, with `hasBackups`, in the order of the nodes. */
  get backups(): readonly string[] {
    return NUMBERS.map((n) => join(this.#folder, `backups${n}`));
  }

  /** HAProxy, before the nodes and the primary. */
  get proxy(): ClusterPart {
    return started(this.#proxy);
  }

  /** PgBouncer. */
  get pooler(): ClusterPart {
    return started(this.#pooler);
  }

  /** Ceph's gateway. */
  get gateway(): ClusterPart {
    return started(this.#store).gateway;
  }

  /** Ceph's stores. */
  get stores(): readonly ClusterPart[] {
    return started(this.#store).stores;
  }

  /** Every part, from the nodes down to etcd. */
  get parts(): readonly ClusterPart[] {
    return [...this.nodes, this.proxy, this.pooler, ...this.databases, ...this.etcd, this.gateway, ...this.stores];
  }

  /** The lines that the nodes printed for the operator, such as the setup code. */
  get printed(): readonly string[] {
    return this.nodes.flatMap(({ output }) => output.match(/^Setup code: .*\n/gm) ?? []);
  }

  /** The database that is the primary now. Throws if there is none. */
  primary(): Promise<DatabasePart> {
    return found(databaseInRole(this.databases, 'primary'), 'primary');
  }

  /** The database that has every acknowledged transaction too. Throws if there is none. */
  synchronousStandby(): Promise<DatabasePart> {
    return found(databaseInRole(this.databases, 'sync'), 'synchronous standby');
  }

  /** The etcd member that leads the others. Throws if there is none. */
  etcdLeader(): Promise<ClusterPart> {
    return found(etcdLeader(this.etcd), 'leader of etcd');
  }

  /** Makes the synchronous standby the primary. Returns once it is. */
  async switchOver(): Promise<void> {
    const [primary, standby] = await Promise.all([this.primary(), this.synchronousStandby()]);
    const response = await fetch(`${primary.restUrl}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`patroni:${this.#patroniPassword}`).toString('base64')}` },
      body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
    });
    if (!response.ok) throw new Error(`Could not switch over: ${response.status} ${await response.text()}`);
  }

  async #prepare(): Promise<void> {
    // Some programs run as another user.
    await chmod(this.#folder, 0o711);
    const names = ['APP', 'PRIMARY', 'POOLER'].concat(
      ...NUMBERS.map((n) => [`NODE${n}`, `ETCD${n}_CLIENT`, `ETCD${n}_PEER`, `DB${n}`, `DB${n}_REST`]),
    );
    const ports = await freePorts(names.length);
    for (const [index, name] of names.entries()) {
      this.#values[name] = `127.0.0.1:${ports[index]}`;
      this.#values[`${name}_HOST`] = '127.0.0.1';
      this.#values[`${name}_PORT`] = String(ports[index]);
    }
    Object.assign(this.#values, {
      POSTGRES_BIN: POSTGRES_BIN ?? '',
      POSTGRES_PASSWORD: this.#postgresPassword,
      PATRONI_PASSWORD: this.#patroniPassword,
      REPLICATION_PASSWORD: randomBytes(12).toString('hex'),
      APP_PASSWORD: randomBytes(12).toString('hex'),
    });
  }

  async #startDatabases(): Promise<void> {
    for (const n of NUMBERS) {
      const folder = await makeFolder(this.#folder, `etcd${n}`);
      const config = await writeConfig(folder, 'etcd.yml', {
        ...this.#values,
        ETCD_NAME: `etcd${n}`,
        ETCD_DATA: join(folder, 'data'),
        ETCD_CLIENT: this.#value(`ETCD${n}_CLIENT`),
        ETCD_PEER: this.#value(`ETCD${n}_PEER`),
      });
      const address = this.#value(`ETCD${n}_CLIENT`);
      const isReady = async () => (await fetch(`http://${address}/health`)).ok;
      this.etcd.push(this.#program(`etcd${n}`, address, 'etcd', ['--config-file', config], isReady));
    }
    for (const n of NUMBERS) {
      const folder = await makeFolder(this.#folder, `db${n}`);
      const at = { address: this.#value(`DB${n}`), rest: this.#value(`DB${n}_REST`), data: join(folder, 'data') };
      const config = await writeConfig(folder, 'patroni.yml', {
        ...this.#values,
        DB_NAME: `db${n}`,
        DB: at.address,
        DB_REST: at.rest,
        DB_DATA: at.data,
        DB_PGPASS: join(folder, 'pgpass'),
      });
      this.databases.push(new DatabasePart(`db${n}`, { ...at, config }));
    }
    await this.#startAll(this.etcd);
    await this.#startAll(this.databases);
  }

  async #startProxies(): Promise<void> {
    const folder = await makeFolder(this.#folder, 'proxies');
    const haproxy = await writeConfig(folder, 'haproxy.cfg', this.#values);
    this.#proxy = this.#program('haproxy', this.#value('APP'), 'haproxy', ['-db', '-q', '-f', haproxy], async () => {
      await fetch(this.url);
      return true;
    });
    const users = await writeConfig(folder, 'pgbouncer-users.txt', this.#values);
    const pgbouncer = await writeConfig(folder, 'pgbouncer.ini', { ...this.#values, POOLER_USERS: users });
    this.#pooler = this.#program('pgbouncer', this.#value('POOLER'), 'pgbouncer', [pgbouncer], async () => true);
    await this.#startAll([this.#proxy, this.#pooler]);
  }

  /** Waits until there are a primary, its synchronous standby, and another standby. */
  async #untilReplicating(): Promise<void> {
    const isRunning = async ({ restUrl }: DatabasePart) => (await fetch(`${restUrl}/health`)).ok;
    const isReady = async () =>
      (await databaseInRole(this.databases, 'sync')) !== null &&
      (await Promise.all(this.databases.map(isRunning))).every(Boolean);
    await this.#until(isReady, this.databases);
  }

  async #createDatabase(): Promise<void> {
    const file = await writeConfig(join(this.#folder, 'proxies'), 'database.sql', this.#values);
    const url = `postgres://postgres:${this.#postgresPassword}@${this.#value('PRIMARY')}/postgres`;
    await run(join(POSTGRES_BIN ?? '', 'psql'), [url, '--set', 'ON_ERROR_STOP=1', '-qXf', file], { timeout: 60_000 });
  }

  async #startNodes(bucket: string): Promise<void> {
    for (const n of NUMBERS) this.nodes.push(await this.#node(n, bucket));
    await this.#startAll(this.nodes);
    // HAProxy has to see that they are ready.
    await this.#until(async () => (await fetch(`${this.url}/readyz`)).ok, [this.proxy]);
  }

  async #node(n: number, bucket: string): Promise<ClusterPart> {
    const { hasLinks, hasBackups, localPush = false } = this.#options;
    let urls = { ...this.databaseUrls, store: started(this.#store).url };
    if (hasLinks === true) {
      const links = await linkNode(urls);
      this.links.push(links);
      ({ urls } = links);
    }
    const filled = await fillTemplate('node.env', {
      ...this.#values,
      POOLER: new URL(urls.pooled).host,
      PRIMARY: new URL(urls.direct).host,
      NODE_HOST: '127.0.0.1',
      NODE_PORT: this.#value(`NODE${n}_PORT`),
      NODE_DATA: join(this.#folder, `node${n}`),
      BUCKET: bucket,
      STORE: encodeURIComponent(urls.store),
      STORE_KEY: S3_KEYS.accessKeyId,
      STORE_SECRET: S3_KEYS.secretAccessKey,
      PUBLIC_URL: this.url,
    });
    const env = {
      ...(parseEnv(filled) as Record<string, string>),
      ...(hasBackups === true ? { BACKUP_DIR: this.backups[n - 1] ?? '' } : {}),
    };
    return new ClusterPart(`node${n}`, this.#value(`NODE${n}`), () => {
      const server = startServer({ env, remove: async () => undefined }, { localPush });
      return { daemon: server, ready: server.ready };
    });
  }

  /** Polls until `isReady` is true. Throws with the output of `parts` if it takes too long. */
  async #until(isReady: () => Promise<boolean>, parts: readonly ClusterPart[]): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!(await isReady().catch(() => false))) {
      if (this.#stopping) throw new Error('Stopped');
      if (performance.now() > deadline) {
        throw new Error(`Not ready:\n${parts.map(({ name, output }) => `${name}: ${output}`).join('\n')}`);
      }
      await sleep(250);
    }
  }

  /** A program that is ready once `isReady` is true. It runs as `nobody` if this process is root. */
  #program(
    name: string,
    address: string,
    program: string,
    args: string[],
    isReady: () => Promise<boolean>,
  ): ClusterPart {
    const options: DaemonOptions = NOBODY ? { user: NOBODY } : {};
    return new ClusterPart(name, address, () => {
      const daemon = startDaemon(pathOf(program) ?? program, args, options);
      return { daemon, ready: untilReady(daemon, isReady, name, 100) };
    });
  }

  async #startAll(parts: readonly ClusterPart[]): Promise<void> {
    if (this.#stopping) throw new Error('Stopped');
    await Promise.all(parts.map((part) => part.start()));
  }

  async #stop(): Promise<void> {
    // Nodes first, so that they log no lost connections. The data is temporary: nothing needs to be finished.
    const ceph = this.#ceph?.then(
      (each) => each.stop(),
      () => undefined,
    );
    for (const part of [...this.nodes, this.#proxy, this.#pooler]) await part?.kill();
    await Promise.all(this.links.map((links) => links.close()));
    await Promise.all(this.databases.map((database) => database.stop()));
    await Promise.all(this.etcd.map((member) => member.kill()));
    await ceph;
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true });
  }

  #value(name: string): string {
    return started(this.#values[name]);
  }
}

function started<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new Error('The cluster was not started');
  return part;
}

async function found<P extends ClusterPart>(part: Promise<P | null>, what: string): Promise<P> {
  const it = await part;
  if (it === null) throw new Error(`There is no ${what}`);
  return it;
}
