import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import type { Change } from '../../change.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import { afterCommit } from '../db/after-commit.ts';
import type { Writer } from '../db/db.ts';
import { type ChangeNotification, channelOf, parseNotification } from './change-notifications.ts';
import { openChannels } from './channels.ts';
import { lastChanges } from './last-changes.ts';

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
  /** Whether this node listened to the couple before. Otherwise it does not know what has changed until `active`. */
  readonly hasListened: boolean;
  readonly stop: () => void;
}

/** Publishes changes to the listeners on all nodes. */
export interface Live {
  readonly announce: Announce;
  /** Listens to one couple's changes. */
  listen(coupleId: CoupleId, listener: Listener): Listening;
  /**
   * Returns at most how many milliseconds ago the last change was committed that this user may know of, or the last moment
   * was at which this node could have missed one, such as when it began to listen. At most a minute, so that it does not tell one partner since when the
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
    listen: (coupleId, listener) => ({
      active: Promise.resolve(),
      hasListened: true,
      stop: local.listen(coupleId, listener),
    }),
    sinceLastChange: local.sinceLastChange,
    onGap: local.onGap,
    close: async () => undefined,
  };
}

/**
 * The health check listens to a channel to which nobody announces: that fails on a server that rejects writes, and otherwise
 * does no harm when repeated.
 */
const HEALTH_CHECK = { everyMs: 5_000, timeoutMs: 3_000, query: 'listen our_love_story_health' };

/**
 * Live changes between nodes. `pg_notify` announces a change in its own transaction, on the couple's channel, and each node
 * has one connection that listens to the channels of the couples whose pages it holds. When that connection was lost and
 * is back, the gap listeners are called. The promise resolves when the node listens, or after the first failed attempt.
 */
export async function openPostgresLive(
  databaseUrl: string,
  onError: (error: unknown) => void,
  checking: Partial<typeof HEALTH_CHECK> = {},
): Promise<Live> {
  const local = localListeners();
  /** The couples to which this node listens: for each when LISTEN is in effect, and whether it is. */
  const listening = new Map<CoupleId, { readonly active: Promise<void>; isActive: boolean }>();
  const channels = openChannels(databaseUrl, {
    onError,
    onGap: local.notifyGap,
    onNotification: (payload) => {
      const parsed = parseNotification(payload);
      if (!parsed) return onError(new Error('Ignored an invalid notification'));
      if ('privateChange' in parsed) local.notify(parsed.coupleId, parsed.privateChange, parsed.only);
      else local.notify(parsed.coupleId, parsed.change, undefined);
    },
    check: { ...HEALTH_CHECK, ...checking },
  });
  const startListening = (coupleId: CoupleId) => {
    const active = channels.join(channelOf(coupleId)).then(() => {
      started.isActive = true;
      local.remember(coupleId);
    });
    const started = { active, isActive: false };
    listening.set(coupleId, started);
    return started;
  };
  await channels.connected;
  return {
    announce: async (tx, coupleId, change, only) => {
      const payload: ChangeNotification =
        only === undefined ? { coupleId, change } : { coupleId, privateChange: change, only };
      await sql`select pg_notify(${channelOf(coupleId)}, ${JSON.stringify(payload)})`.execute(tx);
    },
    listen: (coupleId, listener) => {
      const stop = local.listen(coupleId, listener);
      const { active, isActive } = listening.get(coupleId) ?? startListening(coupleId);
      return {
        active,
        hasListened: isActive,
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
    close: () => channels.close(),
  };
}
