import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ClusterPart } from './cluster/cluster-part.ts';
import { startDaemon, untilReady } from './daemons.ts';
import { freePorts } from './free-ports.ts';
import type { StartedServer } from './postgres.ts';

const run = promisify(execFile);

/** The credentials of the S3 servers that the tests start. */
export const S3_KEYS = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' };

/** Whether `TEST_S3_URL` names an S3 server, or Ceph is installed. */
export function hasS3(): boolean {
  return Boolean(process.env.TEST_S3_URL) || hasCeph();
}

/** Whether all programs of Ceph's gateway are installed. */
export function hasCeph(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph'].every((program) =>
    folders.some((folder) => existsSync(join(folder, program))),
  );
}

/** A running Ceph, whose gateway and stores can be killed and started again. */
export interface StartedCeph extends StartedServer {
  readonly gateway: ClusterPart;
  readonly stores: readonly ClusterPart[];
}

/**
 * Starts a real S3 server: Ceph's RADOS Gateway with one monitor, in a temporary folder on free ports of 127.0.0.1.
 * Needs Debian's ceph-mon, ceph-osd, radosgw and ceph-common.
 * @param storeCount how many stores keep a copy of each object. One keeps it in memory; several keep it on the disk, so
 *   that they have it when they start again, and all but one must be up for a write
 */
export async function startCeph(storeCount = 1): Promise<StartedCeph> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-s3-'));
  const [port = 0, monitorPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const part = (name: string, address: string, program: string, args: string[], isReady = async () => true) =>
    new ClusterPart(name, address, () => {
      const daemon = startDaemon(program, ['-c', join(folder, 'ceph.conf'), '-f', ...args]);
      return { daemon, ready: untilReady(daemon, isReady, name) };
    });
  const monitor = part('monitor', `127.0.0.1:${monitorPort}`, 'ceph-mon', ['-i', 'a']);
  const stores = Array.from({ length: storeCount }, (_, id) =>
    part(`store${id + 1}`, '', 'ceph-osd', ['-i', String(id)]),
  );
  const isReady = async () => (await fetch(url)).ok;
  const gateway = part('gateway', `127.0.0.1:${port}`, 'radosgw', ['-n', 'client.admin'], isReady);
  const stop = async () => {
    // The gateway first. The stored data is temporary, so SIGKILL is fine.
    for (const each of [gateway, ...stores, monitor]) await each.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await prepare(folder, { storeCount, port, monitorPort });
    await monitor.start();
    // One after the other, because the monitor gives them their numbers.
    const ids: string[] = [];
    for (const id of stores.keys()) ids.push(await registerStore(folder, id));
    const creating = stores.map(async (store, id) => {
      await createStore(folder, id, ids[id] ?? '');
      await store.start();
    });
    // If one fails, the others must not go on in a folder that is being deleted.
    await Promise.allSettled(creating);
    await Promise.all(creating);
    const admin = ['user', 'create', '--uid=test', '--display-name=test'];
    const keys = [`--access-key=${S3_KEYS.accessKeyId}`, `--secret=${S3_KEYS.secretAccessKey}`];
    await ceph(folder, 'radosgw-admin', ['-n', 'client.admin', ...admin, ...keys]);
    await gateway.start();
    return { url, gateway, stores, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates an empty bucket and returns its name. */
export async function newBucket(endpoint: string, credentials: typeof S3_KEYS): Promise<string> {
  // Imported lazily, because it takes half a second.
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const Bucket = `our-love-story-${randomUUID().slice(0, 8)}`;
  const client = new S3Client({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  return Bucket;
}

/** Runs one of Ceph's tools on this cluster, for at most a minute. Returns its output. */
async function ceph(folder: string, program: string, args: readonly string[], input?: string): Promise<string> {
  const pending = run(program, ['-c', join(folder, 'ceph.conf'), ...args], { timeout: 60_000 });
  // Without input nothing is written: a program that has already closed its standard input would make that fail.
  pending.child.stdin?.end(input);
  return (await pending).stdout.trim();
}

interface Layout {
  readonly storeCount: number;
  readonly port: number;
  readonly monitorPort: number;
}

/** Writes the configuration, the keys, and the monitor's initial map. */
async function prepare(folder: string, layout: Layout): Promise<void> {
  const id = randomUUID();
  const { monitorPort } = layout;
  const file = (name: string) => join(folder, name);
  for (const name of ['mon', 'run', 'log']) await mkdir(file(name));
  await writeFile(file('ceph.conf'), configuration(folder, id, layout));
  const all = (...daemons: string[]) => daemons.flatMap((daemon) => ['--cap', daemon, 'allow *']);
  await run('ceph-authtool', ['-C', file('keyring'), '--gen-key', '-n', 'mon.', ...all('mon')]);
  await run('ceph-authtool', [file('keyring'), '--gen-key', '-n', 'client.admin', ...all('mon', 'osd', 'mgr')]);
  await run('monmaptool', ['--create', '--fsid', id, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, file('monmap')]);
  await ceph(folder, 'ceph-mon', ['-i', 'a', '--mkfs', '--monmap', file('monmap'), '--keyring', file('keyring')]);
}

/** Announces a new object store to the monitor. Returns its unique id. */
async function registerStore(folder: string, id: number): Promise<string> {
  const uuid = randomUUID();
  const data = join(folder, `osd-${id}`);
  await mkdir(data);
  const { stdout: key } = await run('ceph-authtool', ['--gen-print-key']);
  await ceph(folder, 'ceph', ['osd', 'new', uuid, '-i', '-'], JSON.stringify({ cephx_secret: key.trim() }));
  await writeFile(join(data, 'keyring'), `[osd.${id}]\n\tkey = ${key.trim()}\n`);
  return uuid;
}

/** Creates an object store's files and adds it to the cluster map. */
async function createStore(folder: string, id: number, uuid: string): Promise<void> {
  await ceph(folder, 'ceph-osd', ['-i', String(id), '--mkfs', '--osd-uuid', uuid]);
  await ceph(folder, 'ceph', ['osd', 'crush', 'add', `osd.${id}`, '1.0', 'root=default']);
}

/**
 * The short Paxos intervals make the monitor propose changes at once, which saves eleven of twelve seconds at startup.
 */
function configuration(folder: string, id: string, { storeCount, port, monitorPort }: Layout): string {
  return `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monitorPort}/0]
paxos propose interval = 0.01
paxos min wait = 0.01
osd pool default size = ${storeCount}
osd pool default min size = ${Math.max(1, storeCount - 1)}
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 2
osd crush chooseleaf type = 0
osd objectstore = ${storeCount === 1 ? 'memstore' : 'bluestore'}
memstore device bytes = 2147483648
bluestore block size = 4294967296
osd memory target = 939524096
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = ${folder}/run
log file = ${folder}/log/$name.log
admin socket = ${folder}/run/$name.$pid.asok
pid file = ${folder}/run/$name.pid
keyring = ${folder}/keyring
mon cluster log file = ${folder}/log/cluster.log
[mon.a]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd-$id
keyring = ${folder}/osd-$id/keyring
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 32
rgw enable usage log = false
rgw dns name = localhost
rgw cache enabled = true
`;
}
