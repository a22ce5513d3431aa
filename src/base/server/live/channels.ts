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

/** A connection to PostgreSQL that listens to a changing set of channels. */
export interface Channels {
  /** Resolves when the connection listens, or after the first failed attempt. */
  readonly connected: Promise<void>;
  /**
   * Listens to a channel until `leave`. Resolves when LISTEN is in effect: what commits from then on is heard. If the
   * connection is lost, it resolves too, and `onGap` is called once the connection is back.
   */
  join(channel: string): Promise<void>;
  leave(channel: string): void;
  close(): Promise<void>;
}

/**
 * Opens the connection and maintains it: checks it, reconnects when it is lost, and listens to all channels again. Joins
 * and leaves that happen while a query is under way share the next one.
 */
export function openChannels(databaseUrl: string, { onNotification, onGap, onError, check }: ChannelOptions): Channels {
  const joined = new Set<string>();
  /** Channels joined or left since the last query. */
  let changed = new Set<string>();
  let latest: pg.Client | null = null;
  /** The latest client while it listens. */
  let listening: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  /** One query at a time: each piece of work begins after the one before. None of them rejects. */
  let last = Promise.resolve();
  let next: Promise<void> | null = null;

  const enqueue = (work: () => Promise<void>) => {
    last = last.then(work);
    return last;
  };
  const schedule = (client: pg.Client, work: () => Promise<void>, ms: number) => {
    clearTimeout(timer);
    if (!closed && client === latest) timer = setTimeout(() => void enqueue(work), ms).unref();
  };
  const lose = (client: pg.Client) => {
    if (listening === client) listening = null;
    schedule(client, () => connect(true), RECONNECT_MS);
  };
  const abandon = (client: pg.Client, error: unknown) => {
    if (!closed) onError(error);
    // Close it, even if it no longer responds. A client that never connected emits no 'end'.
    void client.end();
    lose(client);
  };
  const runCheck = async (client: pg.Client) => {
    await client.query(check.query);
    schedule(client, checkAgain, check.everyMs);
  };
  const checkAgain = async () => {
    const client = listening;
    if (client) await runCheck(client).catch((error: unknown) => abandon(client, error));
  };
  const update = async (client: pg.Client, channels: readonly string[]) => {
    const statements = channels.map(
      (channel) => `${joined.has(channel) ? 'listen' : 'unlisten'} ${pg.escapeIdentifier(channel)}`,
    );
    for (let at = 0; at < statements.length; at += BATCH) {
      await client.query(statements.slice(at, at + BATCH).join(';'));
    }
  };
  const applyChanges = async () => {
    next = null;
    const client = listening;
    if (!client || changed.size === 0) return;
    const channels = [...changed];
    changed = new Set();
    await update(client, channels).catch((error: unknown) => abandon(client, error));
  };
  const connect = async (isReconnect: boolean) => {
    if (closed || listening) return;
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: check.timeoutMs,
      ...KEEPALIVE,
    });
    latest = client;
    client.on('notification', ({ payload }) => onNotification(payload));
    client.on('error', onError);
    client.on('end', () => lose(client));
    try {
      await client.connect();
      await runCheck(client);
      changed = new Set();
      await update(client, [...joined]);
      listening = client;
      if (isReconnect) onGap();
    } catch (error) {
      abandon(client, error);
    }
  };
  const applySoon = () => {
    next ??= enqueue(applyChanges);
    return next;
  };
  return {
    connected: enqueue(() => connect(false)),
    join: (channel) => {
      joined.add(channel);
      changed.add(channel);
      return applySoon();
    },
    leave: (channel) => {
      if (!joined.delete(channel)) return;
      changed.add(channel);
      void applySoon();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await latest?.end();
    },
  };
}
