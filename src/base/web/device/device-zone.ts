import { platformZone } from '../../time-zones.ts';

/** The device's IANA time zone, for 'now', 'today', and local times; UTC if it has none. */
export function deviceZone(): string {
  return platformZone() ?? 'UTC';
}
