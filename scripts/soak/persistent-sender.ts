import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../tests/support/caller.ts';
import type { Outcome } from './ledger.ts';

/** How long a client waits for an answer before it sends the request again. */
const ANSWER_MS = 15_000;
/** How long it waits after a connection that closed, or an answer that didn't come. */
const RECONNECT_MS = 1_000;
/** How long a client goes on once the load is stopping. */
const LAST_TRY_MS = 60_000;

/** What became of a request that was sent until it was acknowledged, or given up. */
export interface Sent<T> {
  readonly outcome: Outcome;
  /** Null if it was given up. */
  readonly result: Result<T> | null;
}

interface SendOptions<T> {
  readonly what: string;
  /** Whether to give up after the first answer that leaves the outcome open. */
  readonly isImpatient?: boolean;
  /**
   * For a request without an `Idempotency-Key`: reads whether an earlier attempt took effect, after a 409 or 412. Then the
   * client goes on, but nothing was acknowledged: PostgreSQL may show a commit that no standby has, such as after a
   * restart, and a failover loses it.
   */
  readonly settle?: () => Promise<Result<T> | null>;
}

/** Sends requests as the page does, and checks that every answer is one that the page can handle. */
export class PersistentSender {
  /** Single answers, by what they say about the request. */
  readonly calls: Record<Outcome, number> = { acknowledged: 0, refused: 0, unknown: 0 };
  /** Answers that break a promise: one sentence each. */
  readonly brokenPromises: string[] = [];
  readonly #mayDiskFill: boolean;
  #stoppedAt: number | null = null;

  /** @param mayDiskFill whether 507 is an answer to expect: nothing was saved, and there may be room soon */
  constructor(mayDiskFill = false) {
    this.#mayDiskFill = mayDiskFill;
  }

  /** From now on, clients give up after a minute. */
  stop(): void {
    this.#stoppedAt ??= performance.now();
  }

  /**
   * Sends a request until it is acknowledged: after 503, 429 or 409 when `Retry-After` says, after a lost connection
   * soon. Any other answer breaks a promise.
   */
  async send<T>(request: () => Promise<Result<T>>, options: SendOptions<T>): Promise<Sent<T>> {
    const { what, isImpatient = false, settle } = options;
    // An earlier attempt may have taken effect, or may still do so.
    let isOpen = false;
    for (;;) {
      const answer = await answerWithin(request());
      if (answer !== null && answer.status < 300) {
        this.calls.acknowledged += 1;
        return { outcome: 'acknowledged', result: answer };
      }
      if (answer?.status === 507 && this.#mayDiskFill && !this.#isOver()) {
        this.calls.refused += 1;
        await sleep(RECONNECT_MS);
        continue;
      }
      const waitMs = waitOf(answer);
      if (answer !== null && waitMs === null) {
        const settled = isOpen && settle && [409, 412].includes(answer.status) ? await this.#ask(settle) : null;
        if (settled !== null) return { outcome: 'unknown', result: settled };
        this.calls.refused += 1;
        // With an old version, the next attempt reads the new one.
        if (isOpen && settle && answer.status === 412) continue;
        this.brokenPromises.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return { outcome: isOpen ? 'unknown' : 'refused', result: null };
      }
      isOpen = true;
      this.calls.unknown += 1;
      if (isImpatient || this.#isOver()) return { outcome: 'unknown', result: null };
      await sleep(waitMs ?? RECONNECT_MS);
    }
  }

  /** Asks until there is an answer that settles the matter. */
  async #ask<T>(settle: () => Promise<Result<T> | null>): Promise<Result<T> | null> {
    for (;;) {
      try {
        return await settle();
      } catch {
        if (this.#isOver()) return null;
        await sleep(RECONNECT_MS);
      }
    }
  }

  #isOver(): boolean {
    return this.#stoppedAt !== null && performance.now() - this.#stoppedAt > LAST_TRY_MS;
  }
}

/** How long to wait before the next attempt, in milliseconds; null if the answer doesn't ask for another one. */
function waitOf(answer: Result<unknown> | null): number | null {
  if (answer === null) return RECONNECT_MS;
  const seconds = answer.headers.get('retry-after');
  // 409: the first request with this key is still running.
  return [409, 429, 503].includes(answer.status) && seconds !== null ? Number(seconds) * 1000 : null;
}

/** The answer; null if the connection was lost, or if it takes too long. */
async function answerWithin<T>(answer: Promise<Result<T>>): Promise<Result<T> | null> {
  const timeout = new AbortController();
  try {
    return await Promise.race([answer, sleep(ANSWER_MS, null, { signal: timeout.signal })]);
  } catch {
    return null;
  } finally {
    timeout.abort();
  }
}
