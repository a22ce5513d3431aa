import { ApiError } from './api.ts';

/** Whether the server has answered that there is no such thing. What was deleted meanwhile may still be in the cache. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
