import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../../tests/support/client.ts';
import { readEvents } from '../../tests/support/event-stream.ts';
import type { AnnouncedChange } from './couple-load.ts';

const RECONNECT_MS = 500;

/** One open page of a couple: it listens to changes, and connects again when its stream ends. */
export class LiveWatch {
  readonly #who: Partner;
  readonly #stopping = new AbortController();
  /** When the page heard of changes, by the id of what changed. All times are of `performance.now()`. */
  readonly #heard = new Map<string, number[]>();
  /** When it was told to read everything anew: after each connection, and by the server. */
  readonly #told: number[] = [];
  readonly #running: Promise<void>;

  constructor(who: Partner) {
    this.#who = who;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * How late the page heard of a change, in milliseconds after its acknowledgment.
   * @returns 0 if it was told to read anew meanwhile; null if it neither heard nor was told
   */
  delayOf({ id, sentAt, acknowledgedAt }: AnnouncedChange): number | null {
    const heard = this.#heard.get(id)?.find((at) => at >= sentAt) ?? null;
    const isTold = this.#told.some((at) => at >= sentAt && (heard === null || at <= heard));
    if (isTold) return 0;
    return heard === null ? null : Math.max(0, heard - acknowledgedAt);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#listen().catch(() => undefined);
      await sleep(RECONNECT_MS);
    }
  }

  async #listen(): Promise<void> {
    const response = await fetch(`${this.#who.url}/api/events`, {
      headers: { authorization: `Bearer ${this.#who.token}` },
      signal: this.#stopping.signal,
    });
    if (response.status === 401) await this.#who.renew();
    if (!response.ok || !response.body) return;
    this.#told.push(performance.now());
    for await (const event of readEvents(response.body.getReader())) {
      const at = performance.now();
      if (event === 'resync') this.#told.push(at);
      else this.#heard.set(event.id, [...(this.#heard.get(event.id) ?? []), at]);
    }
  }
}
