import type { CoupleId } from '../../base/ids.ts';
import { type TransferPlace, TransferPlaces } from '../../base/server/http/transfer-places.ts';

/**
 * Uploads at the same time. Each holds up to a megabyte of memory, a temporary file and a connection. The page sends one
 * at a time.
 */
const LIMITS = { ofCouple: 100, ofNode: 300 } as const;

/** Runs one upload of a couple, in a place of its own. */
export type RunUpload = <T>(coupleId: CoupleId, upload: (place: TransferPlace) => Promise<T>) => Promise<T>;

/**
 * Limits the uploads that this node receives at the same time, so that its memory is bounded, and so that a few couples
 * can't take all places.
 * @param check runs before each upload, and throws if none may begin
 * @returns a function that runs an upload; it throws Refusal 429 if the couple has too many, 503 if the node has
 */
export function limitUploads(now: () => number, check: () => Promise<void>): RunUpload {
  const places = new TransferPlaces({ ...LIMITS, now });
  return async (coupleId, upload) => {
    const place = places.enter(coupleId);
    try {
      await check();
      return await upload(place);
    } finally {
      place.leave();
    }
  };
}
