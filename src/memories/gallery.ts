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

interface Uploaded {
  readonly uploadedAt: string;
}

/** Memories that follow one another and are of one month, by when they were uploaded. */
export interface Month<M> {
  /** 'November 2026' */
  readonly name: string;
  readonly memories: readonly M[];
}

/** Parts a list that is ordered by date into its months. */
export function monthsOf<M extends Uploaded>(memories: readonly M[], zone: string): Month<M>[] {
  const months: { name: string; memories: M[] }[] = [];
  for (const memory of memories) {
    const name = monthAndYear(Date.parse(memory.uploadedAt), zone);
    const last = months.at(-1);
    if (last?.name === name) last.memories.push(memory);
    else months.push({ name, memories: [memory] });
  }
  return months;
}

/**
 * The place in the whole list of a memory that was reached from its start (`head`) or, going backwards, from its end
 * (`tail`, last first): undefined where it is not loaded.
 */
export function memoryAt<M>(head: readonly M[], tail: readonly M[], total: number, place: number): M | undefined {
  return head[place] ?? tail[total - 1 - place];
}

/** The next place in either direction, round and round (spec 4, Slideshow). */
export function stepPlace(place: number, by: number, total: number): number {
  return total === 0 ? 0 : (((place + by) % total) + total) % total;
}

/** What a memory is called by its buttons: 'View: the whole beach', 'Delete'. */
export function named(verb: string, caption: string | null): string {
  return caption === null ? verb : `${verb}: ${caption}`;
}

/**
 * Where the slide that is shown stands now: by its id, for the list may have grown or shrunk before it; where it is
 * gone, at the place it had, which is that of the one after it.
 */
export function placeOf<M extends { readonly id: string }>(
  head: readonly M[],
  tail: readonly M[],
  total: number,
  last: { readonly id: string | null; readonly place: number },
): number {
  const fromStart = head.findIndex(({ id }) => id === last.id);
  if (fromStart >= 0) return fromStart;
  const fromEnd = tail.findIndex(({ id }) => id === last.id);
  if (fromEnd >= 0) return total - 1 - fromEnd;
  return last.place < total ? last.place : 0;
}

/** From which end the list must be loaded further to come to a place the sooner. */
export function nearerEnd(headLength: number, tailLength: number, total: number, place: number): 'head' | 'tail' {
  return place - headLength <= total - tailLength - 1 - place ? 'head' : 'tail';
}
