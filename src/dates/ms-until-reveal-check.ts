import { DAY, HOUR } from '../base/durations.ts';
import { isWrapped, type WithSurprise } from './is-hidden.ts';

/** What decides when a surprise is due. */
export interface TimedSurprise extends WithSurprise {
  readonly plannedDateTime: string;
}

/** How often the page asks for a surprise whose time has passed: this device's clock may be ahead of the server's. */
const AGAIN_MS = 30_000;
/** A moment after the time, so that the server's clock has reached it too. */
const MARGIN_MS = 500;
/** For how long it asks. A clock that is wrong by more than this learns of it by a live change or on the next visit. */
const PATIENCE_MS = 2 * HOUR;

/**
 * Milliseconds until the page asks whether a surprise is revealed: at the time of the soonest one, then every 30 s while
 * it stays sealed. Null if there is nothing to ask for. At most a day, because timers hold no more than 24 of them.
 */
export function msUntilRevealCheck(dates: readonly TimedSurprise[], now: number): number | null {
  const waits = dates
    .filter(isWrapped)
    .map(({ plannedDateTime }) => Date.parse(plannedDateTime) + MARGIN_MS - now)
    .filter((left) => left > -PATIENCE_MS)
    .map((left) => (left > 0 ? left : AGAIN_MS));
  return waits.length === 0 ? null : Math.min(...waits, DAY);
}
