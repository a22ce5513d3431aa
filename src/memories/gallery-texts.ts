import { mediumDate } from '../base/date-formats.ts';
import { plural } from '../base/number-texts.ts';

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

/** The label of a memory's button: 'View: the whole beach', or 'View' without a caption. */
export function verbWithCaption(verb: string, caption: string | null): string {
  return caption === null ? verb : `${verb}: ${caption}`;
}
