import { plural } from '../../base/number-texts.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';

/** The longest wait that is shown in minutes, in seconds. For longer ones the server has a text of its own. */
const TOLD_IN_MINUTES = 3600;

/** The text of a refusal. After too many attempts, it also says how long to wait. */
export function refusalText(error: ApiError): string {
  if (error.status !== 429 || error.retryAfter === null || error.retryAfter > TOLD_IN_MINUTES) return error.message;
  const minutes = Math.max(1, Math.ceil(error.retryAfter / 60));
  return `Too many attempts. Please wait ${plural(minutes, 'minute')}, then try again.`;
}
