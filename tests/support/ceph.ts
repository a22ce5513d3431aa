import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, freePorts, startDaemon, untilReady } from './daemons.ts';
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

/**
 * Starts a real S3 server: Ceph's RADOS Gateway with one monitor and one in-memory object store, in a temporary folder
 * on free ports of 127.0.0.1. Needs Debian's ceph-mon, ceph-osd, radosgw and ceph-common.
 */
export async function startCeph(): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-s3-'));
  const daemons: Daemon[] = [];
  const stop = async () => {
    // The gateway first. The stored data is temporary, so SIGKILL is fine.
    for (const daemon of daemons.toReversed()) await daemon.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [port = 0, monitorPort = 0] = await freePorts(2);
    const start = (program: string, args: string[]) => {
      const daemon = startDaemon(program, ['-c', join(folder, 'ceph.conf'), '-f', ...args]);
      daemons.push(daemon);
      return daemon;
    };
    await prepare(folder, port, monitorPort);
    start('ceph-mon', ['-i', 'a']);
    await addStore(folder);
    start('ceph-osd', ['-i', '0']);
    const admin = ['user', 'create', '--uid=test', '--display-name=test'];
    const keys = [`--access-key=${S3_KEYS.accessKeyId}`, `--secret=${S3_KEYS.secretAccessKey}`];
    await ceph(folder, 'radosgw-admin', ['-n', 'client.admin', ...admin, ...keys]);
    const gateway = start('radosgw', ['-n', 'client.admin']);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(gateway, async () => (await fetch(url)).ok, "Ceph's gateway");
    return { url, stop };
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
async function ceph(folder: string, program: string, args: readonly string[], input = ''): Promise<string> {
  const pending = run(program, ['-c', join(folder, 'ceph.conf'), ...args], { timeout: 60_000 });
  pending.child.stdin?.end(input);
  return (await pending).stdout.trim();
}

/** Writes the configuration, the keys, and the monitor's initial map. */
async function prepare(folder: string, port: number, monitorPort: number): Promise<void> {
  const id = randomUUID();
  const file = (name: string) => join(folder, name);
  for (const name of ['mon', 'osd', 'run', 'log']) await mkdir(file(name));
  await writeFile(file('ceph.conf'), configuration(folder, id, port, monitorPort));
  const all = (...daemons: string[]) => daemons.flatMap((daemon) => ['--cap', daemon, 'allow *']);
  await run('ceph-authtool', ['-C', file('keyring'), '--gen-key', '-n', 'mon.', ...all('mon')]);
  await run('ceph-authtool', [file('keyring'), '--gen-key', '-n', 'client.admin', ...all('mon', 'osd', 'mgr')]);
  await run('monmaptool', ['--create', '--fsid', id, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, file('monmap')]);
  await ceph(folder, 'ceph-mon', ['-i', 'a', '--mkfs', '--monmap', file('monmap'), '--keyring', file('keyring')]);
}

/** Creates the object store and adds it to the cluster map. */
async function addStore(folder: string): Promise<void> {
  const id = randomUUID();
  const { stdout: key } = await run('ceph-authtool', ['--gen-print-key']);
  await ceph(folder, 'ceph', ['osd', 'new', id, '-i', '-'], JSON.stringify({ cephx_secret: key.trim() }));
  await writeFile(join(folder, 'osd', 'keyring'), `[osd.0]\n\tkey = ${key.trim()}\n`);
  await ceph(folder, 'ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', id]);
  await ceph(folder, 'ceph', ['osd', 'crush', 'add', 'osd.0', '1.0', 'root=default']);
}

/**
 * The short Paxos intervals make the monitor propose changes at once, which saves eleven of twelve seconds at startup.
 */
function configuration(folder: string, id: string, port: number, monitorPort: number): string {
  return `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monitorPort}/0]
paxos propose interval = 0.01
paxos min wait = 0.01
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 2
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
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
[osd.0]
osd data = ${folder}/osd
keyring = ${folder}/osd/keyring
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 32
rgw enable usage log = false
rgw dns name = localhost
rgw cache enabled = true
`;
}
