import type { ApiError } from './api.ts';
import { asApiError } from './async.tsx';

/** A server works on a create for seconds, and frees the key of one that died within half a minute. */
const TRIES = 40;

/** Whether the first request with the same Idempotency-Key is still running (contract 1, Retrying). */
export function isStillRunning({ status, retryAfter }: ApiError): boolean {
  return status === 409 && retryAfter !== null;
}

/**
 * Makes a call that creates, under its Idempotency-Key: while the first request with that key is still running it waits
 * as long as the server says, and makes the call again. Throws what `call` throws otherwise.
 */
export async function createOnce<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const refusal = asApiError(error);
      if (!isStillRunning(refusal) || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, (refusal.retryAfter ?? 1) * 1000));
    }
  }
}
