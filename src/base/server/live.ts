import pg from 'pg';
import type { Change } from '../change.ts';
import type { CoupleId } from '../ids.ts';

type Listener = (change: Change) => void;

/** Where changes are announced, after their commit, and heard, from whichever node made them. */
export interface Live {
  announce(coupleId: CoupleId, change: Change): void;
  /** Hears one couple's changes until the returned function is called. */
  listen(coupleId: CoupleId, listener: Listener): () => void;
  /** Is called when changes may have been missed: whoever listens should read anew. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The listeners of this node. */
function localLive() {
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
  const local = localLive();
  return { announce: local.tell, listen: local.listen, onGap: local.onGap, close: async () => undefined };
}

const CHANNEL = 'our_love_story_changes';
const RECONNECT_MS = 1_000;

/**
 * Live changes between nodes, by PostgreSQL's LISTEN and NOTIFY on a connection of its own. After a lost connection
 * it says that there is a gap, for what was announced meanwhile is gone.
 */
export function openPostgresLive(databaseUrl: string, onError: (error: unknown) => void): Live {
  const local = localLive();
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (again: boolean) => {
    const mine = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
    mine.on('notification', ({ payload }) => {
      const { coupleId, change } = JSON.parse(payload ?? '{}') as { coupleId: CoupleId; change: Change };
      local.tell(coupleId, change);
    });
    const lost = () => {
      if (client === mine) client = null;
      if (closed) return;
      clearTimeout(retry);
      retry = setTimeout(() => void connect(true), RECONNECT_MS);
    };
    mine.on('error', (error) => onError(error));
    mine.on('end', lost);
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      client = mine;
      if (closed) await mine.end();
      else if (again) local.tellGap();
    } catch (error) {
      onError(error);
      mine.end().catch(() => undefined);
      lost();
    }
  };
  const ready = connect(false);
  // One after the other: a connection has one question under way at a time.
  let turn: Promise<unknown> = ready;

  return {
    announce: (coupleId, change) => {
      const payload = JSON.stringify({ coupleId, change });
      const sent = turn.then(() => {
        if (client === null) throw new Error('No connection to announce a change on');
        return client.query('select pg_notify($1, $2)', [CHANNEL, payload]);
      });
      // The change is kept all the same; this node's own listeners still hear of it.
      turn = sent.catch((error: unknown) => {
        onError(error);
        local.tell(coupleId, change);
      });
    },
    listen: local.listen,
    onGap: local.onGap,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await ready;
      await client?.end();
    },
  };
}
