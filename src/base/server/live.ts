import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Change } from '../change.ts';
import type { CoupleId, UserId } from '../ids.ts';
import { openChannels } from './channels.ts';
import { afterCommit } from './db/after-commit.ts';
import type { Reader, Writer } from './db/db.ts';
import { readLastChanges, recordChange } from './recent-changes.ts';

/** Gets a change, and the only partner who may know of it; undefined if both may. */
type Listener = (change: Change, only: UserId | undefined) => void;

/**
 * Announces a change inside its transaction. Listeners get it if and only if the transaction commits. If the transaction
 * deletes the couple, announce that first.
 * @param only the only partner who may know of it; absent if both may
 */
export type Announce = (tx: Writer, coupleId: CoupleId, change: Change, only?: UserId) => Promise<void>;

export interface Listening {
  /**
   * Resolves when every change that commits from now on reaches the listener. If the connection to the other nodes is
   * lost, it resolves too, and the gap listeners are called once the connection is back.
   */
  readonly active: Promise<void>;
  readonly stop: () => void;
}

/** Publishes changes to the listeners on all nodes (contract 3, Changes, live). */
export interface Live {
  readonly announce: Announce;
  /** Listens to one couple's changes. */
  listen(coupleId: CoupleId, listener: Listener): Listening;
  /**
   * Returns at most how many milliseconds ago the last change was committed that this user may know of, or the last moment
   * was at which this node could have missed one. At most a minute, so that it does not tell one partner since when the
   * other has had the app open. Call it while listening.
   */
  sinceLastChange(coupleId: CoupleId, userId: UserId): number;
  /** Registers a callback for when changes may have been missed, so that listeners have to refetch. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

const GAP = Symbol('gap');

/** The most times that are remembered. A couple has up to three: one for both partners, and one for each alone. */
const MAX_REMEMBERED = 10_000;
/** A page that takes longer than this to connect asks for everything again. */
const LONG_AGO_MS = 60_000;

/** Remembers when each couple's last change was heard, in milliseconds of the process's own clock. */
function lastChanges() {
  /**
   * In the order in which they were added, which may not be that of the times. A change that only one partner may know is
   * under the ids of the couple and the partner.
   */
  const times = new Map<string, number>();
  /** All changes since then are here. */
  let completeSince = performance.now();
  return {
    /** @param ago how many milliseconds ago the change was */
    add: (coupleId: CoupleId, only?: UserId, ago = 0) => {
      const key = `${coupleId} ${only ?? ''}`;
      const heard = performance.now() - ago;
      const time = Math.max(times.get(key) ?? heard, heard);
      times.delete(key);
      times.set(key, time);
      const [oldest] = times;
      if (oldest === undefined || times.size <= MAX_REMEMBERED) return;
      times.delete(oldest[0]);
      completeSince = Math.max(completeSince, oldest[1]);
    },
    /** Changes of any couple may have been missed. */
    forget: () => {
      times.clear();
      completeSince = performance.now();
    },
    /** How long ago the last change was that this user may know, in milliseconds. */
    since: (coupleId: CoupleId, userId: UserId) => {
      const known = [`${coupleId} `, `${coupleId} ${userId}`].map((key) => times.get(key) ?? completeSince);
      return Math.min(performance.now() - Math.max(completeSince, ...known), LONG_AGO_MS);
    },
  };
}

/** The listeners of this node. The names of their events are the couples' ids, and GAP. */
function localListeners() {
  const emitter = new EventEmitter().setMaxListeners(0);
  const last = lastChanges();
  const on = (event: CoupleId | typeof GAP, listener: Listener | (() => void)) => {
    emitter.on(event, listener);
    return () => void emitter.off(event, listener);
  };
  return {
    notify: (coupleId: CoupleId, change: Change, only: UserId | undefined) => {
      last.add(coupleId, only);
      emitter.emit(coupleId, change, only);
    },
    remember: last.add,
    sinceLastChange: last.since,
    notifyGap: () => {
      last.forget();
      emitter.emit(GAP);
    },
    listen: (coupleId: CoupleId, listener: Listener) => on(coupleId, listener),
    isListening: (coupleId: CoupleId) => emitter.listenerCount(coupleId) > 0,
    onGap: (listener: () => void) => on(GAP, listener),
  };
}

/** Live changes within one process, for SQLite, which only one process uses. */
export function openLocalLive(): Live {
  const local = localListeners();
  return {
    announce: async (tx, coupleId, change, only) => afterCommit(tx, () => local.notify(coupleId, change, only)),
    listen: (coupleId, listener) => ({ active: Promise.resolve(), stop: local.listen(coupleId, listener) }),
    sinceLastChange: local.sinceLastChange,
    onGap: local.onGap,
    close: async () => undefined,
  };
}

/** The health check's interval and timeout, and from when on a writing transaction is slow. */
const HEALTH_CHECK = { everyMs: 5_000, timeoutMs: 3_000, slowMs: 15_000 };

/** The channel of one couple. Only nodes with an open page of the couple listen to it (decision 27). */
function channelOf(coupleId: CoupleId): string {
  return `our_love_story_${coupleId}`;
}

/**
 * The channel of all couples, on which the nodes of older releases announce and listen. It is needed only while a node
 * is upgraded after the other.
 */
const SHARED_CHANNEL = 'our_love_story_changes';

/** At the start of each query of a listening connection. Those of older releases have none. */
const COMMENT = '/* records changes */';
/** A query of such a connection of an older release. */
const OLDER_NODE = '^(un)?listen "?our_love_story_';

/**
 * Listens to the shared channel, which fails on a server that rejects writes and otherwise does no harm when repeated. Finds
 * nodes of older releases, and writing transactions that are so slow that their changes may be committed long after their
 * announcement, such as while they wait for a standby.
 */
const checkQuery = (slowMs: number) => `listen ${SHARED_CHANNEL};
  select coalesce(bool_or(query ~ '${OLDER_NODE}'), false) as "hasOlderNodes", count(*) > 0 as "isInDoubt"
    from pg_stat_activity where datname = current_database() and (query ~ '${OLDER_NODE}'
      or backend_xid is not null and xact_start < clock_timestamp() - interval '${slowMs} milliseconds')`;

/** A change that both partners may know. */
interface Shared {
  readonly coupleId: CoupleId;
  readonly change: Change;
  /** Set on `SHARED_CHANNEL` if the couple's own channel has the change too. */
  readonly onCoupleChannel?: boolean | undefined;
}

/**
 * A change that one partner may know. It has no `change`, so that nodes of older releases, which would send it to both
 * partners, ignore it.
 */
interface Private {
  readonly coupleId: CoupleId;
  readonly privateChange: Change;
  readonly only: UserId;
}

type Notification = Shared | Private;

/**
 * The payload of a NOTIFY. Every user of the database can send one, and newer versions may add fields: unknown fields are
 * dropped, and invalid payloads are ignored.
 */
const coupleId = z.uuid().transform((id) => id as CoupleId);
const userId = z.uuid().transform((id) => id as UserId);
const change = z.object({
  entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
  id: z.uuid(),
  action: z.enum(['created', 'updated', 'deleted']),
  by: userId,
});
const notification = z.union([
  z.object({ coupleId, change, onCoupleChannel: z.boolean().optional() }),
  z.object({ coupleId, privateChange: change, only: userId }),
]) satisfies z.ZodType<Notification>;

function parseNotification(payload: string | undefined): Notification | null {
  try {
    return notification.safeParse(JSON.parse(payload ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Live changes between nodes. `pg_notify` announces a change in its own transaction, on the couple's channel, and each node
 * has one connection that listens to the channels of the couples whose pages it holds. When that connection was lost and
 * is back, the gap listeners are called. The promise resolves when the node listens, or after the first failed attempt.
 */
export async function openPostgresLive(
  databaseUrl: string,
  reader: Reader,
  onError: (error: unknown) => void,
  { slowMs, ...check } = HEALTH_CHECK,
): Promise<Live> {
  const local = localListeners();
  let hasOlderNodes = true;
  /** Whether changes may be committed that are not recorded or were long ago, and until when that was so. */
  let isInDoubt = true;
  let inDoubtUntil = performance.now();
  let closed = false;
  /** For each couple that this node listens to: resolves when it does, and knows when their last change was. */
  const listening = new Map<CoupleId, Promise<void>>();
  const channels = openChannels(databaseUrl, {
    comment: COMMENT,
    onError,
    onGap: local.notifyGap,
    onNotification: (channel, payload) => {
      const parsed = parseNotification(payload);
      if (!parsed) return onError(new Error('Ignored an invalid notification'));
      if ('privateChange' in parsed) return local.notify(parsed.coupleId, parsed.privateChange, parsed.only);
      if (channel === SHARED_CHANNEL && parsed.onCoupleChannel) return;
      local.notify(parsed.coupleId, parsed.change, undefined);
    },
    check: {
      ...check,
      query: checkQuery(slowMs),
      onRows: ([row]) => {
        hasOlderNodes = row?.hasOlderNodes === true;
        // It may have lasted until just now.
        if (isInDoubt) inDoubtUntil = performance.now();
        isInDoubt = row?.isInDoubt === true;
      },
    },
  });
  const learnOfChanges = async (couples: readonly CoupleId[]) => {
    let doubt: number | undefined;
    try {
      for (const { coupleId, only, ago } of await readLastChanges(reader, couples)) local.remember(coupleId, only, ago);
      if (!isInDoubt) doubt = performance.now() - inDoubtUntil;
    } catch (error) {
      if (!closed) onError(error);
    }
    for (const coupleId of couples) local.remember(coupleId, undefined, doubt);
  };
  /** The couples whose channels are joined with one query. They share the one for their changes, too. */
  let batch: { joined: Promise<void>; active: Promise<void>; couples: CoupleId[] } | undefined;
  const startListening = (coupleId: CoupleId) => {
    const joined = channels.join(channelOf(coupleId));
    if (batch?.joined !== joined) {
      const couples: CoupleId[] = [];
      batch = { joined, couples, active: joined.then(() => learnOfChanges(couples)) };
    }
    batch.couples.push(coupleId);
    return batch.active;
  };
  await channels.connected;
  return {
    announce: async (tx, coupleId, change, only) => {
      await recordChange(tx, coupleId, only, LONG_AGO_MS);
      const send = (channel: string, payload: Notification) =>
        sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`.execute(tx).then(() => undefined);
      if (only !== undefined) return send(channelOf(coupleId), { coupleId, privateChange: change, only });
      await send(channelOf(coupleId), { coupleId, change });
      if (hasOlderNodes) await send(SHARED_CHANNEL, { coupleId, change, onCoupleChannel: true });
    },
    listen: (coupleId, listener) => {
      const stop = local.listen(coupleId, listener);
      const active = listening.get(coupleId) ?? startListening(coupleId);
      listening.set(coupleId, active);
      return {
        active,
        stop: () => {
          stop();
          if (local.isListening(coupleId)) return;
          listening.delete(coupleId);
          channels.leave(channelOf(coupleId));
        },
      };
    },
    sinceLastChange: local.sinceLastChange,
    onGap: local.onGap,
    close: () => {
      closed = true;
      return channels.close();
    },
  };
}
