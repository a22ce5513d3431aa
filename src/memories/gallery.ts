import { plural } from '../base/text.ts';
import { mediumDate } from '../base/time.ts';

/** What the gallery needs of a date for its filter and summary (memories.gallery.4). */
interface NamedDate {
  readonly id: string;
  readonly plannedDateTime: string | null;
  readonly dateIdea: { readonly title: string } | null;
}

/** 'Two days in Arezzo - Oct 17, 2026', with 'Date' and 'Unknown' for missing values. */
export function dateLabel(date: NamedDate, zone: string): string {
  const when = date.plannedDateTime === null ? 'Unknown' : mediumDate(Date.parse(date.plannedDateTime), zone);
  return `${date.dateIdea?.title || 'Date'} - ${when}`;
}

/** The label of the gallery's filter; 'Unknown Date' if the date is not found. */
export function dateName(dates: readonly NamedDate[], id: string, zone: string): string {
  const date = dates.find((one) => one.id === id);
  return date ? dateLabel(date, zone) : 'Unknown Date';
}

/** '147 memories found', '1 memory found for Two days in Arezzo - Oct 17, 2026' */
export function foundText(count: number, name: string | null): string {
  const found = `${plural(count, 'memory', 'memories')} found`;
  return name === null ? found : `${found} for ${name}`;
}

/** The sentence of an empty gallery. */
export function emptyText(filtered: boolean): string {
  return filtered
    ? 'No memories found for this date. Start capturing beautiful moments!'
    : 'No memories yet! Upload our first photo to start building our gallery.';
}

/** The cursor of the next page from a `Link` header, or null on the last page. */
export function nextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  const cursor = next?.match(/[?&]cursor=([^&#]+)/)?.[1];
  return cursor === undefined ? null : decodeURIComponent(cursor);
}

/** The next place in either direction, wrapping around (memories.slideshow.5). */
export function stepPlace(place: number, by: number, total: number): number {
  return total === 0 ? 0 : (((place + by) % total) + total) % total;
}

/** The label of a memory's button: 'View: the whole beach', or 'View' without a caption. */
export function named(verb: string, caption: string | null): string {
  return caption === null ? verb : `${verb}: ${caption}`;
}
