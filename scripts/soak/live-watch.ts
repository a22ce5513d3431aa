import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../../tests/support/client.ts';
import { readEvents } from '../../tests/support/event-stream.ts';
import type { AnnouncedChange } from './story.ts';

const RECONNECT_MS = 500;

/** What a page heard, and when. All times are of `performance.now()`. */
export class HeardChanges {
  readonly #heard = new Map<string, number[]>();
  readonly #readAgainAt: number[] = [];

  /** @param id the id of what changed */
  hear(id: string, at: number): void {
    const times = this.#heard.get(id) ?? [];
    this.#heard.set(id, times);
    times.push(at);
  }

  /** The page has to read everything again: it has connected, or the server has sent `resync`. */
  readAgain(at: number): void {
    this.#readAgainAt.push(at);
  }

  /**
   * How late the page received a change, in milliseconds after its acknowledgment.
   * @returns 0 if it received `resync` meanwhile; null if it received neither
   */
  delayOf({ id, sentAt, acknowledgedAt }: AnnouncedChange): number | null {
    const heardAt = this.#heard.get(id)?.find((at) => at >= sentAt) ?? null;
    const hasReadAgain = this.#readAgainAt.some((at) => at >= sentAt && (heardAt === null || at <= heardAt));
    if (hasReadAgain) return 0;
    return heardAt === null ? null : Math.max(0, heardAt - acknowledgedAt);
  }
}

/** One open page of a couple: it listens to changes, and connects again when its stream ends. */
export class LiveWatch {
  readonly #who: Partner;
  readonly #stopping = new AbortController();
  readonly heard = new HeardChanges();
  readonly #running: Promise<void>;

  constructor(who: Partner) {
    this.#who = who;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
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
    this.heard.readAgain(performance.now());
    for await (const event of readEvents(response.body.getReader())) {
      if (event === 'resync') this.heard.readAgain(performance.now());
      else this.heard.hear(event.id, performance.now());
    }
  }
}
