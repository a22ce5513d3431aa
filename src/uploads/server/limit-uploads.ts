import type { CoupleId } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';

/**
 * Uploads at the same time. Each holds up to a megabyte of memory, a temporary file and a connection. The page sends one
 * at a time.
 */
const MAX_OF_COUPLE = 100;
const MAX_OF_NODE = 300;
const RETRY_AFTER = 5;

/** Runs one upload of a couple. */
export type RunUpload = <T>(coupleId: CoupleId, upload: () => Promise<T>) => Promise<T>;

/**
 * Limits the uploads that this node receives at the same time, so that its memory is bounded, and so that one couple
 * can't take all places.
 * @returns a function that runs an upload; it throws Refusal 429 if the couple has too many, 503 if the node has
 */
export function limitUploads(): RunUpload {
  const running = new Map<CoupleId, number>();
  let total = 0;
  const count = (coupleId: CoupleId, change: 1 | -1) => {
    total += change;
    const ofCouple = (running.get(coupleId) ?? 0) + change;
    if (ofCouple === 0) running.delete(coupleId);
    else running.set(coupleId, ofCouple);
  };
  return async (coupleId, upload) => {
    if ((running.get(coupleId) ?? 0) >= MAX_OF_COUPLE) {
      throw new Refusal(429, 'You are uploading too many photographs at once. Please wait a moment.', {
        retryAfter: RETRY_AFTER,
      });
    }
    if (total >= MAX_OF_NODE) {
      throw new Refusal(503, 'Too many photographs are arriving right now. Please try again.', {
        retryAfter: RETRY_AFTER,
      });
    }
    count(coupleId, 1);
    try {
      return await upload();
    } finally {
      count(coupleId, -1);
    }
  };
}
