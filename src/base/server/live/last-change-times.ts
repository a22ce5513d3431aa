import type { CoupleId, UserId } from '../../ids.ts';

/** The most times that are remembered. A couple has up to three: one for both partners, and one for each alone. */
const MAX_REMEMBERED = 10_000;
/** A page that takes longer than this to connect asks for everything again. */
const LONG_AGO_MS = 60_000;

/** Remembers when each couple's last change was heard, in milliseconds of the process's own clock. */
export function createLastChangeTimes() {
  /** The oldest first. A change that only one partner may know is under the ids of the couple and the partner. */
  const times = new Map<string, number>();
  /** All changes since then are here. */
  let completeSince = performance.now();
  return {
    add: (coupleId: CoupleId, only?: UserId) => {
      const key = `${coupleId} ${only ?? ''}`;
      times.delete(key);
      times.set(key, performance.now());
      const [oldest] = times;
      if (oldest === undefined || times.size <= MAX_REMEMBERED) return;
      times.delete(oldest[0]);
      completeSince = oldest[1];
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
