import type { Change } from '../../change.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import type { Writer } from '../db/db.ts';

/** Gets a change, and the only partner who may know of it; undefined if both may. */
export type Listener = (change: Change, only: UserId | undefined) => void;

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
