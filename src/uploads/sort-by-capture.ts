import { DAY } from '../base/durations.ts';
import { dayOf } from '../base/instants.ts';
import { startOf } from '../dates/start-of.ts';
import { canTakeMemories, type UploadDate } from './upload-dates.ts';

/** What sorting needs of a planned date. Instants are in ISO 8601. */
export interface SortDate extends UploadDate {
  readonly actualStartTime: string | null;
  readonly actualEndTime: string | null;
}

/** A photo and its capture time in milliseconds, or null if unknown. */
export interface Captured {
  readonly id: string;
  readonly capturedAt: number | null;
}

/** The photos that seem to be from a date. */
export interface Proposal<D> {
  readonly date: D;
  readonly ids: readonly string[];
}

/** The actual or planned time of a date, in milliseconds, and its day in the zone. */
interface Timed<D> {
  readonly date: D;
  readonly start: number;
  /** Null if it has not started. */
  readonly end: number | null;
  readonly day: string;
}

/**
 * Sorts photos into dates by capture time (uploads.choosing.11): into a date whose actual start and end include it, or else a date on
 * the same day. Of several dates, the one with the nearest start wins, then the earlier one, then the smaller id. Canceled
 * dates and surprises of the partner get none. Proposals are in the order of the dates, and photos in their own order.
 * @param zone the IANA zone of the days
 */
export function proposeDates<D extends SortDate>(
  photos: readonly Captured[],
  dates: readonly D[],
  zone: string,
): readonly Proposal<D>[] {
  const timed = dates
    .filter(canTakeMemories)
    .map((date) => timesOf(date, zone))
    .sort((a, b) => a.start - b.start || (a.date.id < b.date.id ? -1 : 1));
  const found = new Map<Timed<D>, string[]>();
  for (const { id, capturedAt } of photos) {
    const date = capturedAt === null ? undefined : dateAt(capturedAt, timed, zone);
    if (date) found.set(date, [...(found.get(date) ?? []), id]);
  }
  return timed.flatMap((date) => {
    const ids = found.get(date);
    return ids ? [{ date: date.date, ids }] : [];
  });
}

function timesOf<D extends SortDate>(date: D, zone: string): Timed<D> {
  const { actualStartTime, actualEndTime } = date;
  const start = startOf(date);
  // A date that was started and never completed ends after a day.
  const end = actualStartTime === null ? null : actualEndTime === null ? start + DAY : Date.parse(actualEndTime);
  return { date, start, end, day: dayOf(start, zone) };
}

function dateAt<D>(at: number, dates: readonly Timed<D>[], zone: string): Timed<D> | undefined {
  const during = dates.filter(({ start, end }) => end !== null && start <= at && at <= end);
  if (during.length > 0) return nearest(at, during);
  const day = dayOf(at, zone);
  return nearest(
    at,
    dates.filter((date) => date.day === day),
  );
}

function nearest<D>(at: number, dates: readonly Timed<D>[]): Timed<D> | undefined {
  let best: Timed<D> | undefined;
  for (const date of dates) {
    if (best === undefined || Math.abs(at - date.start) < Math.abs(at - best.start)) best = date;
  }
  return best;
}
