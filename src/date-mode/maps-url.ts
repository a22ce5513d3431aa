/**
 * The address that opens a place in the device's maps: the maps app of a phone or a Mac, elsewhere Google Maps.
 * @param userAgent of the browser; null if it is not known yet
 */
export function mapsUrl(place: string, userAgent: string | null): string {
  const query = encodeURIComponent(place);
  if (userAgent !== null && /Android/i.test(userAgent)) return `geo:0,0?q=${query}`;
  if (userAgent !== null && /iPhone|iPad|Macintosh/i.test(userAgent)) return `https://maps.apple.com/?q=${query}`;
  return `https://www.google.com/maps/search/?api=1&query=${query}`;
}
