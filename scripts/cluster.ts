import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../tests/support/cluster/cluster.ts';
import type { ClusterPart } from '../tests/support/cluster/cluster-part.ts';
import { ensureBuilt } from './lib/ensure-built.ts';
import { provision } from './lib/provision.ts';

/**
 * `npm run cluster`: starts on this machine what a host with many couples runs (see docs/operating.md), prints its address
 * and how to kill each part, and starts again what was killed, as a service manager would. Ctrl-C ends it.
 */

/** How long a killed part stays away. */
const RESTART_MS = 5_000;

const advice = Object.values(provision(['ceph', 'cluster'])).filter((each) => each !== null);
if (advice.length > 0) fail(advice.join('\n'));
if (!(await ensureBuilt())) fail('Could not build the app; see above.');

const cluster = new Cluster();
let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  process.stdout.write('\nStopping …\n');
  cluster.stop().then(
    () => process.exit(0),
    (error: unknown) => fail(String(error)),
  );
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);

process.stdout.write('Starting the cluster (this takes about half a minute) …\n');
try {
  await cluster.start();
  await describe();
  for (const part of cluster.parts) void keepRunning(part);
} catch (error) {
  if (!isStopping) fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

async function describe(): Promise<void> {
  const primary = await cluster.primary();
  const lines = cluster.parts.map((part) => {
    const [pid] = part.pids();
    const note = part === primary ? '  (the primary)' : '';
    return `${part.name.padEnd(10)} ${part.address.padEnd(16)} ${String(pid).padStart(8)}${note}`;
  });
  const patronictl = `patronictl -c ${primary.config}`;
  process.stdout.write(`
The app, through HAProxy: ${cluster.url}
${cluster.printed[0] ?? ''}
part       address               pid
${lines.join('\n')}

Kill a part:         kill -KILL PID. It starts again after ${RESTART_MS / 1000} seconds.
Suspend it:          kill -STOP PID, and kill -CONT PID.
The databases:       ${patronictl} list
Change the primary:  ${patronictl} switchover --force
Kill PostgreSQL:     kill -QUIT $(head -1 ${primary.config.replace(/patroni\.yml$/, 'data/postmaster.pid')})
A query:             psql ${cluster.databaseUrls.direct}
Ctrl-C ends the cluster.
`);
}

/** Starts a part again each time that it ends. */
async function keepRunning(part: ClusterPart): Promise<void> {
  for (;;) {
    await part.ended;
    if (isStopping) return;
    process.stdout.write(`${part.name} has ended; it starts again in ${RESTART_MS / 1000} seconds.\n`);
    await sleep(RESTART_MS);
    if (isStopping) return;
    await part.start().then(
      () => process.stdout.write(`${part.name} runs again: ${part.pids()[0]}\n`),
      (error: unknown) => process.stdout.write(`${part.name} did not start: ${String(error)}\n`),
    );
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
