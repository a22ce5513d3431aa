import { targetDate, type UploadQueue } from './upload-queue.ts';

/** The id of the date that the page shows after the upload; null for several dates, and without any. */
export function dateAfterUpload(queue: UploadQueue): string | null {
  return hasSeveralDates(queue) ? null : mostCommonDate(queue);
}

/**
 * Whether photos go to several dates, and none was chosen for all. Then our story opens after the upload, because no single
 * date shows them all.
 */
export function hasSeveralDates(queue: UploadQueue): boolean {
  return queue.dateId === null && countsByDate(queue).size > 1;
}

/** The date that most photos go to, and the shared date if there are none. If several have the same number, the first. */
function mostCommonDate(queue: UploadQueue): string | null {
  const counts = countsByDate(queue);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? queue.dateId;
}

/** How many photos go, or went, to each date. */
function countsByDate(queue: UploadQueue): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of queue.items) {
    // The shared date may have changed since this item was sent.
    const date = item.state === 'uploaded' && item.attempt ? item.attempt.dateId : targetDate(queue, item);
    if (date !== null) counts.set(date, (counts.get(date) ?? 0) + 1);
  }
  return counts;
}
