import { DAY } from '../base/durations.ts';

/** The last instant of ISO 8601. Older versions stored capture times after it. */
const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/** The stored times of a memory, in milliseconds. */
export interface MemoryTimes {
  /** The capture time of the file, and the one that a partner gave the memory instead. */
  readonly takenAt: number | null;
  readonly correctedTakenAt: number | null;
  readonly uploadedAt: number;
}

/** The actual times of a date, in milliseconds; null if it has not happened. */
export interface DateTimes {
  readonly actualStartTime: number | null;
  readonly actualEndTime: number | null;
}

/** When a memory was taken, in milliseconds; null if that is not known. */
export function takenAtOf({ takenAt, correctedTakenAt }: Omit<MemoryTimes, 'uploadedAt'>): number | null {
  const time = correctedTakenAt ?? takenAt;
  return time === null || time > LAST_INSTANT ? null : time;
}

/**
 * A memory's place in the story, in milliseconds (memories.happened.1): when it was taken; without that the start of its
 * date, if that ended more than a day before the upload; or else the upload.
 * @param date its date as it stands now
 */
export function happenedAt(memory: MemoryTimes, date: DateTimes): number {
  const added = addedLater(date);
  const ofDate = added !== null && memory.uploadedAt > added.after ? added.start : null;
  return takenAtOf(memory) ?? ofDate ?? memory.uploadedAt;
}

/** The uploads `after` which a memory without a capture time belongs to the `start` of its date; null before its end. */
export function addedLater({ actualStartTime: start, actualEndTime: end }: DateTimes): {
  readonly after: number;
  readonly start: number;
} | null {
  return start === null || end === null ? null : { after: end + DAY, start };
}
