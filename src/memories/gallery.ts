import { plural } from '../base/text.ts';
import { mediumDate, monthAndYear } from '../base/time.ts';

/** What a date is called in the gallery's filter and summary (spec 2, Memories gallery). */
interface NamedDate {
  readonly id: string;
  readonly plannedDateTime: string | null;
  readonly dateIdea: { readonly title: string } | null;
}

/** 'Two days in Arezzo - Oct 17, 2026'; what is missing is 'Date' and 'Unknown'. */
export function dateLabel(date: NamedDate, zone: string): string {
  const when = date.plannedDateTime === null ? 'Unknown' : mediumDate(Date.parse(date.plannedDateTime), zone);
  return `${date.dateIdea?.title || 'Date'} - ${when}`;
}

/** The label of the date by which the gallery is filtered; 'Unknown Date' where it is not found. */
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

/** The cursor of the next page out of a `Link` header, or null after the last (contract 3). */
export function nextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  const cursor = next?.match(/[?&]cursor=([^&#]+)/)?.[1];
  return cursor === undefined ? null : decodeURIComponent(cursor);
}

/** '2026-11' is 'November 2026'. */
export function monthName(month: string): string {
  return monthAndYear(Date.parse(`${month}-01T00:00:00Z`), 'UTC');
}

/** The next place in either direction, round and round (spec 4, Slideshow). */
export function stepPlace(place: number, by: number, total: number): number {
  return total === 0 ? 0 : (((place + by) % total) + total) % total;
}

/** What a memory is called by its buttons: 'View: the whole beach', 'Delete'. */
export function named(verb: string, caption: string | null): string {
  return caption === null ? verb : `${verb}: ${caption}`;
}
