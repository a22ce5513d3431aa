import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import type { Change } from '../change.ts';
import type { CoupleId, UserId } from '../ids.ts';
import { afterCommit } from './db/after-commit.ts';
import type { Writer } from './db/db.ts';
import { KEEPALIVE } from './db/postgres.ts';

type Listener = (change: Change) => void;

/** Where changes are announced, and heard from whichever node made them (contract 3, Changes, live). */
export interface Live {
  /** Announces a change inside the transaction that makes it: it is told if and only if that commits. */
  announce(tx: Writer, coupleId: CoupleId, change: Change): Promise<void>;
  /** Hears one couple's changes until the returned function is called. */
  listen(coupleId: CoupleId, listener: Listener): () => void;
  /** Is called when changes may have been missed: whoever listens should read anew. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The listeners of this node. */
function localListeners() {
  const listeners = new Map<CoupleId, Set<Listener>>();
  const gapListeners = new Set<() => void>();
  return {
    tell: (coupleId: CoupleId, change: Change) => {
      for (const listener of listeners.get(coupleId) ?? []) listener(change);
    },
    tellGap: () => {
      for (const listener of gapListeners) listener();
    },
    listen: (coupleId: CoupleId, listener: Listener) => {
      const mine = listeners.get(coupleId) ?? new Set();
      listeners.set(coupleId, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0) listeners.delete(coupleId);
      };
    },
    onGap: (listener: () => void) => {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
  };
}

/** Live changes within one process: enough for SQLite, which one process has open. */
export function openLocalLive(): Live {
  const local = localListeners();
  return {
    announce: async (tx, coupleId, change) => afterCommit(tx, () => local.tell(coupleId, change)),
    listen: local.listen,
    onGap: local.onGap,
    close: async () => undefined,
  };
}

const CHANNEL = 'our_love_story_changes';
const RECONNECT_MS = 500;

/** How often the listening connection is asked whether it is still there, and how long it may take to answer. */
const CHECK = { everyMs: 5_000, answerMs: 3_000 };

/**
 * What a NOTIFY says. Anybody who may use the database can send one, and a newer version may say more: fields that are
 * not known here are dropped, and what does not fit is ignored.
 */
const notice = z.object({
  coupleId: z.uuid().transform((id) => id as CoupleId),
  change: z.object({
    entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
    id: z.uuid(),
    action: z.enum(['created', 'updated', 'deleted']),
    by: z.uuid().transform((id) => id as UserId),
  }),
}) satisfies z.ZodType<{ coupleId: CoupleId; change: Change }>;

function readNotice(payload: string | undefined): z.output<typeof notice> | null {
  try {
    return notice.safeParse(JSON.parse(payload ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Live changes between nodes. A change is announced by `pg_notify` in its own transaction, on whichever connection that
 * runs, and heard by LISTEN on a connection of this node's own. After that connection was lost, listeners are told that
 * there is a gap. Fulfilled when the node listens, or when a first try has failed and the next one is due.
 */
export async function openPostgresLive(
  databaseUrl: string,
  onError: (error: unknown) => void,
  check = CHECK,
): Promise<Live> {
  const local = localListeners();
  const line = keepListening(databaseUrl, {
    onError,
    check,
    onGap: local.tellGap,
    onNotice: (payload) => {
      const told = readNotice(payload);
      if (told) local.tell(told.coupleId, told.change);
      else onError(new Error('A notification that is none of ours was ignored'));
    },
  });
  await line.connected;
  return {
    announce: async (tx, coupleId, change) => {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ coupleId, change })})`.execute(tx);
    },
    listen: local.listen,
    onGap: local.onGap,
    close: line.close,
  };
}

interface Ear {
  readonly onNotice: (payload: string | undefined) => void;
  /** Called when the connection is back, or there for the first time after a failure. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly check: typeof CHECK;
}

/** Keeps a connection that listens: checks it, and replaces it when it is lost. */
function keepListening(databaseUrl: string, { onNotice, onGap, onError, check }: Ear) {
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (again: boolean) => {
    const mine = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: check.answerMs,
      ...KEEPALIVE,
    });
    client = mine;
    mine.on('notification', ({ payload }) => onNotice(payload));
    mine.on('error', onError);
    const next = (work: () => Promise<void>, ms: number) => {
      clearTimeout(timer);
      if (!closed && client === mine) timer = setTimeout(() => void work(), ms).unref();
    };
    const lost = () => next(() => connect(true), RECONNECT_MS);
    mine.on('end', lost);
    const giveUp = (error: unknown) => {
      if (!closed) onError(error);
      // Ends it also where it no longer answers; a client that never connected has no 'end' to wait for.
      void mine.end();
      lost();
    };
    // Asked again it changes nothing, and fails where the server takes no writes any more.
    const ask = () => mine.query(`listen ${CHANNEL}`).then(() => next(ask, check.everyMs), giveUp);
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      if (again) onGap();
      next(ask, check.everyMs);
    } catch (error) {
      giveUp(error);
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
