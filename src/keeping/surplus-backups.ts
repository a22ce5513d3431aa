import { dayOf } from '../base/instants.ts';

/** How many earlier backups, and how many earlier days, to keep: a mistake is often noticed only days later. */
const EARLIER_BACKUPS = 7;

/** The facts that decide whether a backup is kept. */
export interface RetainedBackup {
  readonly stamp: string;
  /** The backup's number in order of publication; 0 if an older version made it. */
  readonly sequence: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Result of the last verification; null if it was never verified. */
  readonly isWhole: boolean | null;
}

/**
 * Sorts backups by publication, oldest first. The sequence decides, because the clock may have been wrong.
 */
export function oldestFirst<T extends RetainedBackup>(backups: readonly T[]): T[] {
  return backups.toSorted((a, b) => a.sequence - b.sequence || a.createdAt - b.createdAt);
}

/** Returns the newest backup that passed verification. */
export function newestVerified(backups: readonly RetainedBackup[]): RetainedBackup | undefined {
  return oldestFirst(backups).findLast(({ isWhole }) => isWhole === true);
}

/** Whether the newest verification failed. Nothing is thinned until one passes. */
export function hasFailedVerification(backups: readonly RetainedBackup[]): boolean {
  return oldestFirst(backups).findLast(({ isWhole }) => isWhole !== null)?.isWhole === false;
}

/**
 * Returns the stamps of the backups that are no longer needed. Kept are: the newest and the seven before it; one backup
 * for each of the seven backup days before the newest's day, a verified one if possible; and the newest verified
 * backup, however old. Many backups on one day therefore don't push out those of the week.
 * @param zone the time zone that defines a day
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
