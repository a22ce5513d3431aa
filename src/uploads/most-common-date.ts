import { targetDate, type UploadQueue } from './upload-queue.ts';

/** Whether photos go to several dates, none of which was chosen for all: our story shows them all, one date does not. */
export function hasSeveralDates(queue: UploadQueue): boolean {
  return queue.dateId === null && countsByDate(queue).size > 1;
}

/** The date that most photos went to, to redirect there. If several have the same number, the first. */
export function mostCommonDate(queue: UploadQueue): string | null {
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
