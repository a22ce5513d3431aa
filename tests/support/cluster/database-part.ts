import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOBODY, startDaemon, untilReady } from '../daemons.ts';
import { isRunning, sendSignal } from '../process-signals.ts';
import { ClusterPart } from './cluster-part.ts';

/** How long PostgreSQL has for an immediate shutdown. */
const SHUTDOWN_MS = 10_000;

/** A database: Patroni, and the PostgreSQL that it starts and that survives it. */
export class DatabasePart extends ClusterPart {
  /** Patroni's REST API, without a trailing slash. */
  readonly restUrl: string;
  /** Patroni's configuration file, for `patronictl -c`. */
  readonly config: string;
  readonly #data: string;

  constructor(name: string, at: { address: string; rest: string; config: string; data: string }) {
    super(name, at.address, () => launchPatroni(name, at));
    this.restUrl = `http://${at.rest}`;
    this.config = at.config;
    this.#data = at.data;
  }

  /** Patroni, PostgreSQL's main process, and its children. */
  override pids(): number[] {
    const main = this.#mainProcess();
    return [...super.pids(), ...(main === null ? [] : [main, ...childrenOf(main)])];
  }

  /** Ends both, without leaving shared memory behind. */
  async stop(): Promise<void> {
    const pids = this.pids();
    const main = this.#mainProcess();
    sendSignal(super.pids(), 'SIGKILL');
    if (main === null) return;
    sendSignal(pids, 'SIGCONT');
    sendSignal([main], 'SIGQUIT');
    const deadline = performance.now() + SHUTDOWN_MS;
    while (isRunning(main) && performance.now() < deadline) await sleep(50);
    sendSignal(pids, 'SIGKILL');
  }

  #mainProcess(): number | null {
    try {
      const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      // The file of a killed PostgreSQL stays, and its number may belong to another program by now.
      return /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? pid : null;
    } catch {
      return null;
    }
  }
}

function launchPatroni(name: string, { config, rest }: { config: string; rest: string }) {
  // On its death signal it stops PostgreSQL, which the kernel wouldn't.
  const daemon = startDaemon('patroni', [config], { deathSignal: 'TERM', ...(NOBODY ? { user: NOBODY } : {}) });
  return { daemon, ready: untilReady(daemon, async () => (await fetch(`http://${rest}/liveness`)).ok, name, 200) };
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
