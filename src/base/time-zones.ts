import { zoned } from './instants.ts';

/**
 * Returns an IANA name in the platform's spelling ('Europe/Rome' for 'europe/rome'), or null if it is unknown. It alone
 * decides which zones the app accepts: what it returns works in Intl, which formats times, and, where the platform has
 * it, in Temporal, which calculates.
 */
export function parseTimeZone(text: string): string | null {
  // Intl accepts an offset such as '+01:00' too, but it isn't an IANA name.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
    // Intl also accepts names that only its own library knows, such as 'SystemV/EST5'. A service worker may lack Temporal.
    if ('Temporal' in globalThis) zoned(0, zone);
    return zone;
  } catch {
    return null;
  }
}

const usableZones = new Map<string, string>();

/**
 * The time zone that a couple has stored, or UTC if it is one that this platform can't use: older versions accepted such
 * zones.
 */
export function usableZone(stored: string): string {
  const known = usableZones.get(stored) ?? parseTimeZone(stored) ?? 'UTC';
  usableZones.set(stored, known);
  return known;
}

const platformZones = new Map<string | undefined, string | null>();

/** The time zone of this device or server, or null if the platform names none, or only an offset. */
export function platformZone(): string | null {
  // In Chromium, creating a format takes a hundred times as long as Temporal, and a list calls this for each row. A
  // service worker may lack Temporal.
  const name: string | undefined =
    'Temporal' in globalThis ? Temporal.Now.timeZoneId() : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = platformZones.get(name);
  if (known !== undefined) return known;
  const zone = parseTimeZone(name ?? '');
  platformZones.set(name, zone);
  return zone;
}
