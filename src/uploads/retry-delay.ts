/** The backoff over a broken connection, in milliseconds. After the last pause the run gives up. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000] as const;
/** The limit while an earlier attempt is still running, since a server may work on one photo for minutes. */
const RUNNING_TRIES = 20;

/**
 * How long to wait before the next attempt, in milliseconds, or null to give up.
 * @param tries the number of failed attempts
 * @param retryAfter the server's Retry-After in seconds (409, 429, 503), of which at most half an hour counts
 * @param isRunning whether an earlier attempt is still running on the server
 */
export function retryDelay(tries: number, retryAfter: number | null, isRunning = false): number | null {
  const pause = isRunning && tries <= RUNNING_TRIES ? PAUSES[Math.min(tries, PAUSES.length) - 1] : PAUSES[tries - 1];
  return pause === undefined ? null : Math.max(pause, Math.min(retryAfter ?? 0, 1800) * 1000);
}
