import { platformZone } from '../../time-zones.ts';

/** Returns the time zone of the server's clock. Node has no name for some values of `TZ`, and its clock is in UTC then. */
export function serverZone(): string {
  return platformZone() ?? 'UTC';
}
