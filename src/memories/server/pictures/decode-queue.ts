/** How much a {@link DecodeQueue} runs at once. */
interface Limits {
  /** Jobs. */
  readonly jobs: number;
  /** Bytes of memory. A single job may need more; it then counts as what the small ones leave of it. */
  readonly bytes: number;
  /** A job that needs more bytes is large. One large job runs at a time, and small ones beside it. */
  readonly largeBytes: number;
}

interface Job {
  readonly bytes: number;
  readonly isLarge: boolean;
  readonly run: () => Promise<void>;
}

/**
 * Runs jobs that need much memory, in order, while their number and the sum of their bytes stay below the limits. A
 * large job that waits for another large one lets small jobs pass. Otherwise a job that does not fit yet holds up those
 * behind it, so that each gets its turn.
 */
export class DecodeQueue {
  readonly #limits: Limits;
  #waiting: Job[] = [];
  readonly #running = new Set<Job>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs a job when there is room for it.
   * @param bytes the memory that it needs at most
   * @throws what `work` throws
   */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const isLarge = bytes > this.#limits.largeBytes;
    return new Promise((resolve, reject) => {
      const job: Job = {
        bytes: isLarge ? Math.min(bytes, this.#limits.bytes - this.#limits.largeBytes) : bytes,
        isLarge,
        run: () => work().then(resolve, reject),
      };
      this.#waiting.push(job);
      this.#startNext();
    });
  }

  #startNext(): void {
    const running = [...this.#running];
    const hasLarge = running.some(({ isLarge }) => isLarge);
    const used = running.reduce((sum, { bytes }) => sum + bytes, 0);
    const next = this.#waiting.find(({ isLarge }) => !(isLarge && hasLarge));
    if (!next || running.length >= this.#limits.jobs || used + next.bytes > this.#limits.bytes) return;
    this.#waiting = this.#waiting.filter((job) => job !== next);
    this.#running.add(next);
    void this.#run(next);
    this.#startNext();
  }

  async #run(job: Job): Promise<void> {
    await job.run();
    this.#running.delete(job);
    this.#startNext();
  }
}
