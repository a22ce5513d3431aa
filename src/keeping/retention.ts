import { dayOf } from '../base/time.ts';

/** So many earlier backups stay beside the newest, and so many days: a mistake is often seen only some days later. */
const EARLIER_BACKUPS = 7;

/** What decides whether a backup stays. */
export interface RetainedBackup {
  readonly stamp: string;
  /** Its number in the order of publication; 0 for a backup of an older version, which did not count. */
  readonly sequence: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** What its last verification found; null for a backup that was never verified. */
  readonly isWhole: boolean | null;
}

/**
 * The order of publication, oldest first. The sequence decides: the clock may have been wrong when a backup was made.
 */
export function oldestFirst<T extends RetainedBackup>(backups: readonly T[]): T[] {
  return backups.toSorted((a, b) => a.sequence - b.sequence || a.createdAt - b.createdAt);
}

/** The newest backup that was verified and whole. */
export function newestVerified(backups: readonly RetainedBackup[]): RetainedBackup | undefined {
  return oldestFirst(backups).findLast(({ isWhole }) => isWhole === true);
}

/** Whether the newest verification of any backup failed: nothing is thinned until one passes. */
export function hasFailedVerification(backups: readonly RetainedBackup[]): boolean {
  return oldestFirst(backups).findLast(({ isWhole }) => isWhole !== null)?.isWhole === false;
}

/**
 * Which backups are no longer needed. These stay: the newest and the seven before it; of each of the seven days before
 * the newest's day one, verified where there is one; and the newest verified backup, however old. So many backups on
 * one day do not push out those of the week.
 * @param zone whose calendar days count
 */
export function surplusBackups(backups: readonly RetainedBackup[], zone: string): string[] {
  const newestFirst = oldestFirst(backups).toReversed();
  const [newest, ...earlier] = newestFirst;
  if (newest === undefined) return [];
  const day = ({ createdAt }: RetainedBackup) => dayOf(createdAt, zone);
  const days = [...Map.groupBy(earlier, day)].filter(([name]) => name !== day(newest)).slice(0, EARLIER_BACKUPS);
  const daily = days.map(([, ofDay]) => ofDay.find(({ isWhole }) => isWhole === true) ?? ofDay[0]);
  const kept = new Set([newest, ...earlier.slice(0, EARLIER_BACKUPS), ...daily, newestVerified(backups)]);
  return newestFirst.filter((backup) => !kept.has(backup)).map(({ stamp }) => stamp);
}
