import { type ApiError, asApiError } from './api-error.ts';
import { asSaved } from './check-saved-entity.ts';

/** A create takes seconds, and the key of a dead request is free again within half a minute. */
const MAX_ATTEMPTS = 40;

/** Returns whether the first request with the same Idempotency-Key is still running (screens.offline.7). */
export function isStillRunning({ status, retryAfter }: ApiError): boolean {
  return status === 409 && retryAfter !== null;
}

/**
 * Makes a call with an Idempotency-Key. While the first request with that key is still running, it waits as long as the
 * server says and retries. It throws all other errors of `call`, and those of `asSaved`.
 */
export async function createOnce<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return asSaved(await call());
    } catch (error) {
      const refusal = asApiError(error);
      if (!isStillRunning(refusal) || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, (refusal.retryAfter ?? 1) * 1000));
    }
  }
}
