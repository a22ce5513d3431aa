import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../../tests/support/event-stream.ts';
import type { Partner } from '../../tests/support/partner.ts';
import type { AnnouncedChange } from './client-date.ts';

const RECONNECT_MS = 500;

/** What a page heard, and when. All times are of `performance.now()`. */
export class HeardChanges {
  readonly #heard = new Map<string, number>();
  #readAgainAt = Number.NEGATIVE_INFINITY;

  /** @param id the id of what changed */
  hear(id: string, at: number): void {
    this.#heard.set(id, at);
  }

  /** The page has to read everything again: it has connected, or the server has sent `resync`. */
  readAgain(at: number): void {
    this.#readAgainAt = at;
  }

  /** Whether the page has received a change, or `resync`, since it was requested. */
  hasReceived({ id, sentAt }: AnnouncedChange): boolean {
    return Math.max(this.#readAgainAt, this.#heard.get(id) ?? Number.NEGATIVE_INFINITY) >= sentAt;
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
