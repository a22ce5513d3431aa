import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import type { Change } from '../change.ts';
import type { CoupleId, UserId } from '../ids.ts';
import { afterCommit } from './db/after-commit.ts';
import type { Writer } from './db/db.ts';
import { KEEPALIVE } from './db/postgres.ts';

type Listener = (change: Change) => void;

/** Publishes changes to the listeners on all nodes (contract 3, Changes, live). */
export interface Live {
  /** Announces a change inside its transaction. Listeners get it if and only if the transaction commits. */
  announce(tx: Writer, coupleId: CoupleId, change: Change): Promise<void>;
  /** Listens to one couple's changes. Returns a function that stops listening. */
  listen(coupleId: CoupleId, listener: Listener): () => void;
  /** Registers a callback for when changes may have been missed, so that listeners have to refetch. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

const GAP = Symbol('gap');

/** The listeners of this node. The names of their events are the couples' ids, and GAP. */
function localListeners() {
  const emitter = new EventEmitter().setMaxListeners(0);
  const on = (event: CoupleId | typeof GAP, listener: Listener | (() => void)) => {
    emitter.on(event, listener);
    return () => void emitter.off(event, listener);
  };
  return {
    notify: (coupleId: CoupleId, change: Change) => void emitter.emit(coupleId, change),
    notifyGap: () => void emitter.emit(GAP),
    listen: (coupleId: CoupleId, listener: Listener) => on(coupleId, listener),
    onGap: (listener: () => void) => on(GAP, listener),
  };
}

/** Live changes within one process, for SQLite, which only one process uses. */
export function openLocalLive(): Live {
  const local = localListeners();
  return {
    announce: async (tx, coupleId, change) => afterCommit(tx, () => local.notify(coupleId, change)),
    listen: local.listen,
    onGap: local.onGap,
    close: async () => undefined,
  };
}

const CHANNEL = 'our_love_story_changes';
const RECONNECT_MS = 500;

/** Interval and timeout of the listening connection's health check. */
const HEALTH_CHECK = { everyMs: 5_000, timeoutMs: 3_000 };

/**
 * The payload of a NOTIFY. Every user of the database can send one, and newer versions may add fields: unknown fields are
 * dropped, and invalid payloads are ignored.
 */
const notification = z.object({
  coupleId: z.uuid().transform((id) => id as CoupleId),
  change: z.object({
    entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
    id: z.uuid(),
    action: z.enum(['created', 'updated', 'deleted']),
    by: z.uuid().transform((id) => id as UserId),
  }),
}) satisfies z.ZodType<{ coupleId: CoupleId; change: Change }>;

function parseNotification(payload: string | undefined): z.output<typeof notification> | null {
  try {
    return notification.safeParse(JSON.parse(payload ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Live changes between nodes. `pg_notify` announces a change in its own transaction, and each node has one connection with
 * LISTEN. When that connection was lost and is back, the gap listeners are called. The promise resolves when the node
 * listens, or after the first failed attempt.
 */
export async function openPostgresLive(
  databaseUrl: string,
  onError: (error: unknown) => void,
  check = HEALTH_CHECK,
): Promise<Live> {
  const local = localListeners();
  const connection = keepListening(databaseUrl, {
    onError,
    check,
    onGap: local.notifyGap,
    onNotification: (payload) => {
      const parsed = parseNotification(payload);
      if (parsed) local.notify(parsed.coupleId, parsed.change);
      else onError(new Error('Ignored an invalid notification'));
    },
  });
  await connection.connected;
  return {
    announce: async (tx, coupleId, change) => {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ coupleId, change })})`.execute(tx);
    },
    listen: local.listen,
    onGap: local.onGap,
    close: connection.close,
  };
}

interface ListenOptions {
  readonly onNotification: (payload: string | undefined) => void;
  /** Called when the connection is back after a failure. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly check: typeof HEALTH_CHECK;
}

/** Maintains a listening connection: checks it and reconnects when it is lost. */
function keepListening(databaseUrl: string, { onNotification, onGap, onError, check }: ListenOptions) {
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (isReconnect: boolean) => {
    const current = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: check.timeoutMs,
      ...KEEPALIVE,
    });
    client = current;
    current.on('notification', ({ payload }) => onNotification(payload));
    current.on('error', onError);
    const schedule = (work: () => Promise<void>, ms: number) => {
      clearTimeout(timer);
      if (!closed && client === current) timer = setTimeout(() => void work(), ms).unref();
    };
    const reconnect = () => schedule(() => connect(true), RECONNECT_MS);
    current.on('end', reconnect);
    const abandon = (error: unknown) => {
      if (!closed) onError(error);
      // Close it, even if it no longer responds. A client that never connected emits no 'end'.
      void current.end();
      reconnect();
    };
    // A repeated LISTEN has no effect, and it fails on a server that rejects writes.
    const listenAgain = () =>
      current.query(`listen ${CHANNEL}`).then(() => schedule(listenAgain, check.everyMs), abandon);
    try {
      await current.connect();
      await current.query(`listen ${CHANNEL}`);
      if (isReconnect) onGap();
      schedule(listenAgain, check.everyMs);
    } catch (error) {
      abandon(error);
    }
  };
  const connected = connect(false);
  return {
    connected,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
