import { ApiError } from './api-error.ts';

/** Whether the server has answered that there is no such thing. What was deleted meanwhile may still be in the cache. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Waits for a deletion. What the partner has deleted meanwhile counts as deleted. */
export async function untilDeleted(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
