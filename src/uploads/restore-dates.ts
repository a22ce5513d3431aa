import type { Attempt } from './upload-queue.ts';

/** A photograph kept on this device, as far as restoring it needs to know it. */
interface Kept {
  readonly id: string;
  readonly captured: boolean;
  readonly caption: string;
  readonly ownDateId: string | null;
  readonly dateId?: string | null;
  readonly attempt: Attempt | null;
}

/**
 * Gives kept photographs back the dates that were chosen for them: one becomes the date for all where none is chosen
 * yet, and a photograph that was meant for another one gets that as its own.
 * @param chosen the date chosen for all on the page that takes them back
 * @param usual for photographs that were kept without saying
 */
export function withTheirDates<K extends Kept>(
  kept: readonly K[],
  chosen: string | null,
  usual: string | null,
): { readonly dateId: string | null; readonly photos: readonly K[] } {
  const meant = ({ dateId = usual }: K) => dateId;
  const dateId = chosen ?? kept.map(meant).find((one) => one !== null) ?? null;
  const photos = kept.map((photo) => {
    const date = meant(photo);
    return photo.ownDateId === null && date !== null && date !== dateId ? { ...photo, ownDateId: date } : photo;
  });
  return { dateId, photos };
}
