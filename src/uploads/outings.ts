import { HOUR, MINUTE } from '../base/durations.ts';
import { EARLIEST_PAST } from '../dates/past-rules.ts';
import type { Captured } from './sort-by-capture.ts';

/** A pause longer than this begins a new outing. */
const PAUSE_MS = 6 * HOUR;
/** The times of an outing are rounded to this. */
const STEP_MS = 5 * MINUTE;
/** The shortest outing. */
const SHORTEST_MS = 30 * MINUTE;

/** Photos that were taken on one outing, in the order in which they were taken. Times are in milliseconds. */
export interface Outing {
  readonly ids: readonly string[];
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the outings of photos, earliest first (uploads.outings.1). A photo without a capture time, or from
 * before dates can begin, belongs to none. Only the instants count, so neither the zone nor a clock change matters.
 * @param photos in any order
 */
export function outingsOf(photos: readonly Captured[], now: number): Outing[] {
  const timed = photos
    .flatMap(({ id, capturedAt }) =>
      capturedAt === null || capturedAt < EARLIEST_PAST ? [] : [{ id, at: capturedAt }],
    )
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const groups: { readonly id: string; readonly at: number }[][] = [];
  for (const photo of timed) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && photo.at - before.at <= PAUSE_MS) last.push(photo);
    else groups.push([photo]);
  }
  return groups.map((group) => {
    const [first, last] = [group[0]?.at ?? now, group.at(-1)?.at ?? now];
    return { ids: group.map(({ id }) => id), ...timesOf(first, last, now) };
  });
}

/** The times of a date: rounded outward, at least half an hour, and not ahead, as a camera's clock may be. */
function timesOf(first: number, last: number, now: number): { start: number; end: number } {
  const start = Math.floor(first / STEP_MS) * STEP_MS;
  const end = Math.max(Math.ceil(last / STEP_MS) * STEP_MS, start + SHORTEST_MS);
  return end > now ? { start: Math.min(start, now - SHORTEST_MS), end: now } : { start, end };
}
