import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Scene } from './demo-data.ts';

/** The arguments of `paintPhoto`. */
export interface Order {
  readonly scene: Scene;
  readonly seed: number;
  readonly takenAt: string;
  readonly offset: string;
}

/** Paints photographs on all cores. */
export class Painters {
  readonly #idle: Worker[];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #all: readonly Worker[];

  constructor() {
    const file = join(import.meta.dirname, 'paint-worker.ts');
    this.#all = Array.from({ length: Math.min(8, availableParallelism()) }, () => new Worker(file));
    this.#idle = [...this.#all];
  }

  /** Paints one photograph, as soon as a core is free. Rejects if that fails. */
  async paint(order: Order): Promise<Uint8Array<ArrayBuffer>> {
    const worker = this.#idle.pop() ?? (await new Promise<Worker>((free) => this.#waiting.push(free)));
    try {
      return await new Promise((resolve, reject) => {
        worker.removeAllListeners().once('message', resolve).once('error', reject);
        worker.postMessage(order);
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#idle.push(worker);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}
