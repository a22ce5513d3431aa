import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import type { Change } from '../change.ts';
import type { CoupleId, UserId } from '../ids.ts';
import { channelOf, type Notification, parseNotification, SHARED_CHANNEL } from './change-notifications.ts';
import { openChannels } from './channels.ts';
import { afterCommit } from './db/after-commit.ts';
import type { Reader, Writer } from './db/db.ts';
import { lastChanges } from './last-changes.ts';
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

/**
 * Tracks whether changes may be committed that `recentChanges` does not have, or has with a time long before their commit.
 * It is in doubt until it is set.
 */
function trackDoubt() {
  let isInDoubt = true;
  let until = performance.now();
  return {
    set: (isNow: boolean) => {
      // It may have lasted until just now.
      if (isInDoubt) until = performance.now();
      isInDoubt = isNow;
    },
    /** How many milliseconds ago it ended; undefined while it lasts. */
    endedAgo: () => (isInDoubt ? undefined : performance.now() - until),
  };
}

/**
 * Returns a function that joins a couple's channel, and resolves when the node has also learned of the couple's last
 * changes. Couples whose channels are joined with one query share the one for their changes, too.
 */
function joinTogether(
  join: (coupleId: CoupleId) => Promise<void>,
  learnOfChanges: (couples: readonly CoupleId[]) => Promise<void>,
) {
  let batch: { joined: Promise<void>; active: Promise<void>; couples: CoupleId[] } | undefined;
  return (coupleId: CoupleId) => {
    const joined = join(coupleId);
    if (batch?.joined !== joined) {
      const couples: CoupleId[] = [];
      batch = { joined, couples, active: joined.then(() => learnOfChanges(couples)) };
    }
    batch.couples.push(coupleId);
    return batch.active;
  };
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
  checking: Partial<typeof HEALTH_CHECK> = {},
): Promise<Live> {
  const { slowMs, ...check } = { ...HEALTH_CHECK, ...checking };
  const local = localListeners();
  const doubt = trackDoubt();
  let hasOlderNodes = true;
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
        doubt.set(row?.isInDoubt === true);
      },
    },
  });
  const learnOfChanges = async (couples: readonly CoupleId[]) => {
    let ended: number | undefined;
    try {
      for (const { coupleId, only, ago } of await readLastChanges(reader, couples)) local.remember(coupleId, only, ago);
      ended = doubt.endedAgo();
    } catch (error) {
      if (!closed) onError(error);
    }
    for (const coupleId of couples) local.remember(coupleId, undefined, ended);
  };
  const startListening = joinTogether((coupleId) => channels.join(channelOf(coupleId)), learnOfChanges);
  await channels.connected;
  return {
    announce: async (tx, coupleId, change, only) => {
      await recordChange(tx, coupleId, only);
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
