import pg from 'pg';
import { KEEPALIVE } from '../db/postgres.ts';

const RECONNECT_MS = 500;
/** How many LISTEN and UNLISTEN one query contains, so that it stays far below the timeout. */
const BATCH = 1_000;

export interface HealthCheck {
  readonly everyMs: number;
  /** The timeout of every query on this connection. */
  readonly timeoutMs: number;
  /** Runs on each new connection too. It must fail on a server that rejects writes. */
  readonly query: string;
}

interface ChannelOptions {
  readonly onNotification: (payload: string | undefined) => void;
  /** Called when the connection is back after a failure, with LISTEN in effect for every open channel. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly check: HealthCheck;
}

/**
 * A connection to PostgreSQL that listens to a changing set of channels. It is checked, opened again when it is lost, and
 * then listens to all channels again. Joins and leaves that happen while a query is under way share the next one.
 */
export class Channels {
  /** Resolves when the connection listens, or after the first failed attempt. */
  readonly connected: Promise<void>;
  readonly #databaseUrl: string;
  readonly #options: ChannelOptions;
  readonly #joined = new Set<string>();
  /** Channels joined or left since the last query. */
  #changed = new Set<string>();
  #latest: pg.Client | null = null;
  /** The latest client while it listens. */
  #listening: pg.Client | null = null;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** One query at a time: each piece of work begins after the one before. None of them rejects. */
  #last = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(databaseUrl: string, options: ChannelOptions) {
    this.#databaseUrl = databaseUrl;
    this.#options = options;
    this.connected = this.#enqueue(() => this.#connect(false));
  }

  /**
   * Listens to a channel until `leave`. Resolves when LISTEN is in effect: what commits from then on is heard. If the
   * connection is lost, it resolves too, and `onGap` is called once the connection is back.
   */
  join(channel: string): Promise<void> {
    this.#joined.add(channel);
    this.#changed.add(channel);
    return this.#applySoon();
  }

  leave(channel: string): void {
    if (!this.#joined.delete(channel)) return;
    this.#changed.add(channel);
    void this.#applySoon();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#latest?.end();
  }

  async #connect(isReconnect: boolean): Promise<void> {
    if (this.#isClosed || this.#listening) return;
    const { check, onNotification, onError, onGap } = this.#options;
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: check.timeoutMs,
      ...KEEPALIVE,
    });
    this.#latest = client;
    client.on('notification', ({ payload }) => onNotification(payload));
    client.on('error', onError);
    client.on('end', () => this.#lose(client));
    try {
      await client.connect();
      await this.#runCheck(client);
      this.#changed = new Set();
      await this.#update(client, [...this.#joined]);
      this.#listening = client;
      if (isReconnect) onGap();
    } catch (error) {
      this.#abandon(client, error);
    }
  }

  async #runCheck(client: pg.Client): Promise<void> {
    const { check } = this.#options;
    await client.query(check.query);
    this.#schedule(client, () => this.#checkAgain(), check.everyMs);
  }

  async #checkAgain(): Promise<void> {
    const client = this.#listening;
    if (client) await this.#runCheck(client).catch((error: unknown) => this.#abandon(client, error));
  }

  /** Listens to the channels that are joined, and no longer to the others. */
  async #update(client: pg.Client, channels: readonly string[]): Promise<void> {
    const statements = channels.map(
      (channel) => `${this.#joined.has(channel) ? 'listen' : 'unlisten'} ${pg.escapeIdentifier(channel)}`,
    );
    for (let at = 0; at < statements.length; at += BATCH) {
      await client.query(statements.slice(at, at + BATCH).join(';'));
    }
  }

  #applySoon(): Promise<void> {
    this.#next ??= this.#enqueue(() => this.#applyChanges());
    return this.#next;
  }

  async #applyChanges(): Promise<void> {
    this.#next = null;
    const client = this.#listening;
    if (!client || this.#changed.size === 0) return;
    const channels = [...this.#changed];
    this.#changed = new Set();
    await this.#update(client, channels).catch((error: unknown) => this.#abandon(client, error));
  }

  #abandon(client: pg.Client, error: unknown): void {
    if (!this.#isClosed) this.#options.onError(error);
    // Close it, even if it no longer responds. A client that never connected emits no 'end'.
    void client.end();
    this.#lose(client);
  }

  #lose(client: pg.Client): void {
    if (this.#listening === client) this.#listening = null;
    this.#schedule(client, () => this.#connect(true), RECONNECT_MS);
  }

  #schedule(client: pg.Client, work: () => Promise<void>, ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed && client === this.#latest) {
      this.#timer = setTimeout(() => void this.#enqueue(work), ms).unref();
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }
}
