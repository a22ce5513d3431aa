import { ApiError } from '../../../base/web/net/api-error.ts';

/** Whether the server refuses a session (401, 403), and was not merely out of reach. */
export function isSessionRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
