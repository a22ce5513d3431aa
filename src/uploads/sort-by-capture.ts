import { DAY, dayOf } from '../base/time.ts';
import type { UploadDate } from './upload-dates.ts';

/** What sorting asks of a planned date. Instants in ISO 8601. */
export interface SortDate extends UploadDate {
  readonly actualStartTime: string | null;
  readonly actualEndTime: string | null;
}

/** A photograph, and when it was taken: milliseconds, null where it does not say. */
export interface Captured {
  readonly id: string;
  readonly capturedAt: number | null;
}

/** The photographs that seem to be from a date. */
export interface Proposal<D> {
  readonly date: D;
  readonly ids: readonly string[];
}

/** When a date really was, or is to be: milliseconds, and its day in the zone. */
interface Timed<D> {
  readonly date: D;
  readonly start: number;
  /** Null where it has not begun. */
  readonly end: number | null;
  readonly day: string;
}

/**
 * Sorts photographs into dates by when they were taken (issue 4): first a date between whose actual start and end the
 * photograph was taken, else one on whose day it was; of several the one whose start is nearest, then the earlier, then
 * by id. A cancelled date takes none. The proposals stand in the order of their dates, the photographs in their own.
 * @param zone in which days are told
 */
export function proposeDates<D extends SortDate>(
  photos: readonly Captured[],
  dates: readonly D[],
  zone: string,
): readonly Proposal<D>[] {
  const timed = dates
    .filter(({ status }) => status !== 'Cancelled')
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
  const { actualStartTime, actualEndTime, plannedDateTime } = date;
  const start = Date.parse(actualStartTime ?? plannedDateTime);
  // One that was begun and never completed does not take every photograph since.
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
