import type { Attempt } from './upload-queue.ts';

/** What restoring needs of a photo that is stored on this device. */
interface StoredPhoto {
  readonly id: string;
  readonly captured: boolean;
  readonly caption: string;
  readonly ownDateId: string | null;
  readonly dateId: string | null;
  readonly attempt: Attempt | null;
}

/**
 * Restores the dates of stored photos. If the page has no shared date yet, the first photo's date becomes it. A photo that
 * was meant for another date gets that as its own.
 * @param chosen the shared date on the page
 */
export function restoreDates<K extends StoredPhoto>(
  kept: readonly K[],
  chosen: string | null,
): { readonly dateId: string | null; readonly photos: readonly K[] } {
  const dateId = chosen ?? kept.map((photo) => photo.dateId).find((one) => one !== null) ?? null;
  const photos = kept.map((photo) => {
    const isElsewhere = photo.dateId !== null && photo.dateId !== dateId;
    return photo.ownDateId === null && isElsewhere ? { ...photo, ownDateId: photo.dateId } : photo;
  });
  return { dateId, photos };
}
