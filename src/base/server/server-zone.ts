import { parseTimeZone } from '../time.ts';

/** Returns the time zone of the server's clock. Node has no name for some values of `TZ`, and its clock is in UTC then. */
export function serverZone(): string {
  const name: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return parseTimeZone(name ?? '') ?? 'UTC';
}
