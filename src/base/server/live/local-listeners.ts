import { EventEmitter } from 'node:events';
import type { Change } from '../../change.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import { createLastChangeTimes } from './last-change-times.ts';
import type { Listener } from './live.ts';

const GAP = Symbol('gap');

/** Holds the listeners of this node. The names of their events are the couples' ids, and GAP. */
export function createLocalListeners() {
  const emitter = new EventEmitter().setMaxListeners(0);
  const last = createLastChangeTimes();
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
