import type { ApiError } from '../net/api-error.ts';

/** Why a query has no current data, and how the user fetches it again. */
export interface Failure {
  readonly error: ApiError;
  readonly retry: () => void;
}
