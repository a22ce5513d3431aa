import type { Daemon } from '../daemons.ts';
import { sendSignal } from '../process-signals.ts';

/** A started program, and a promise for when it is ready, which rejects if it ends before. */
interface Launched {
  readonly daemon: Pick<Daemon, 'pid' | 'output' | 'ended'>;
  readonly ready: Promise<unknown>;
}

type Launch = () => Launched;

/** One program of a cluster, which can be killed, paused, and started again. */
export class ClusterPart {
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
  readonly #launch: Launch;
  #daemon: Launched['daemon'] | null = null;

  constructor(name: string, address: string, launch: Launch) {
    this.name = name;
    this.address = address;
    this.#launch = launch;
  }

  /** Starts it, for the first time or again after its end, and waits until it is ready. */
  async start(): Promise<void> {
    const { daemon, ready } = this.#launch();
    this.#daemon = daemon;
    await ready;
  }

  /** Resolves when the program has ended. */
  get ended(): Promise<number | null> {
    return this.#running.ended;
  }

  get output(): string {
    return this.#running.output();
  }

  /** The process ids of the program. */
  pids(): number[] {
    return this.#daemon === null ? [] : [this.#daemon.pid];
  }

  /** Sends a signal to all its processes and waits until the program has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    sendSignal(this.pids(), signal);
    await this.#daemon?.ended;
  }

  /** Suspends all its processes, as if its machine stood still. */
  pause(): void {
    sendSignal(this.pids(), 'SIGSTOP');
  }

  resume(): void {
    sendSignal(this.pids(), 'SIGCONT');
  }

  get #running(): Launched['daemon'] {
    if (this.#daemon === null) throw new Error(`${this.name} was not started`);
    return this.#daemon;
  }
}
