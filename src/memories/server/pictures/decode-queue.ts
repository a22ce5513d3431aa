/** What a {@link DecodeQueue} runs at the same time. */
interface Limits {
  readonly jobs: number;
  /** Memory in bytes. A single large job may need more, and then counts as `bytes - largeBytes`. */
  readonly bytes: number;
  /** A job that needs more bytes is large. One large job runs at a time, with small ones beside it. */
  readonly largeBytes: number;
}

interface Job {
  readonly bytes: number;
  readonly isLarge: boolean;
  /** Returns a function that tells the caller how it ended. Never rejects. */
  readonly run: () => Promise<() => void>;
}

/**
 * Runs memory-intensive jobs in order within the limits. Small jobs may overtake a large job that waits for another large
 * job. Otherwise a job that does not fit yet blocks the jobs behind it, so that no job starves.
 */
export class DecodeQueue {
  readonly #limits: Limits;
  #waiting: Job[] = [];
  readonly #running = new Set<Job>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs a job as soon as the limits allow it.
   * @param bytes the most memory that it needs
   * @throws what `work` throws
   */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const isLarge = bytes > this.#limits.largeBytes;
    return new Promise((resolve, reject) => {
      const job: Job = {
        bytes: isLarge ? Math.min(bytes, this.#limits.bytes - this.#limits.largeBytes) : bytes,
        isLarge,
        run: () =>
          work().then(
            (result) => () => resolve(result),
            (error: unknown) => () => reject(error),
          ),
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
    const end = await job.run();
    this.#running.delete(job);
    // First, so that its thread is not idle while the caller goes on.
    this.#startNext();
    end();
  }
}
