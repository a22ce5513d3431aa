import type { ApiError } from '../../base/web/net/api-error.ts';
import { TIME_ERRORS } from '../rules.ts';
import { STILL_TO_COME } from '../went-rules.ts';

/** What a refusal means whose time the device took for the past: the page checks times by this device's clock first. */
const CLOCK_AHEAD = 'The clock of this device seems to be ahead. Please check it.';

/** Answers whose message says what a second try can't change: the partner was faster, or a rule forbids it. */
const EXPLAINED: readonly number[] = [400, 404, 409];

/** The server's reason for a refusal, with a hint where this device's clock may be the cause; null if it gave none. */
export function refusalOf({ status, serverMessage }: ApiError): string | null {
  if (serverMessage === null || !EXPLAINED.includes(status)) return null;
  const isAhead = serverMessage.includes(TIME_ERRORS.endAhead) || serverMessage.includes(STILL_TO_COME);
  return isAhead ? `${serverMessage.replace(/\.?$/, '.')} ${CLOCK_AHEAD}` : serverMessage;
}

/** The sentence for a failed action, followed by the server's reason if it gave one. */
export function failureWithReason(sentence: string, error: ApiError): string {
  const reason = refusalOf(error);
  return reason === null ? sentence : `${sentence} ${reason}`;
}
