import { zoned } from '../../../base/time.ts';
import { client } from '../../../base/web/net/client.ts';
import type { dateCalls, PlannedDate } from '../../../dates/contract.ts';
import type { Memory, memoryCalls } from '../../../memories/contract.ts';
import { nextCursor } from '../../../memories/gallery.ts';
import type { Note, noteCalls } from '../../../notes/contract.ts';

const datesApi = client<typeof dateCalls>();
const memoriesApi = client<typeof memoryCalls>();
const notesApi = client<typeof noteCalls>();

/** How many dates' notes are asked for at a time. */
const AT_ONCE = 8;

/** What to print: one date, a year, or everything. */
interface PrintChoice {
  readonly dateId: string | null;
  readonly year: string | null;
}

/** A date of the printed album. */
export interface PrintedDate {
  readonly date: PlannedDate;
  readonly memories: readonly Memory[];
  /** Both notes, once they are open. */
  readonly notes: readonly { readonly by: 'mine' | 'theirs'; readonly note: Note }[];
}

/** Why there is nothing to print. */
type NothingToPrint = 'Date not found.' | 'Only a completed date can be printed.';

/** Fetches what the album shows, earliest date first. @param zone the couple's */
export async function fetchAlbum(
  { dateId, year }: PrintChoice,
  zone: string,
  signal: AbortSignal,
): Promise<readonly PrintedDate[] | NothingToPrint> {
  const all = await datesApi('GET /api/PlannedDates', {}, { signal });
  const one = all.find(({ id }) => id === dateId);
  if (dateId !== null && one === undefined) return 'Date not found.';
  if (one !== undefined && one.status !== 'Completed') return 'Only a completed date can be printed.';
  const dates = all
    .filter((date) => date.status === 'Completed' && (dateId === null || date.id === dateId))
    .filter((date) => year === null || String(zoned(printedStartOf(date), zone).year) === year)
    .sort((a, b) => printedStartOf(a) - printedStartOf(b));
  const memories = Map.groupBy(await fetchMemories(dateId, signal), ({ plannedDateId }) => plannedDateId);
  const printed: PrintedDate[] = [];
  for (let from = 0; from < dates.length; from += AT_ONCE) {
    const some = dates.slice(from, from + AT_ONCE);
    const notes = await Promise.all(some.map(({ id }) => fetchNotes(id, signal)));
    some.forEach((date, n) => {
      printed.push({ date, memories: memories.get(date.id) ?? [], notes: notes[n] ?? [] });
    });
  }
  return printed;
}

/** When a completed date began, in milliseconds. */
export function printedStartOf({ actualStartTime, plannedDateTime }: PlannedDate): number {
  return Date.parse(actualStartTime ?? plannedDateTime);
}

async function fetchMemories(dateId: string | null, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { count: '500', sort: 'story-asc' };
    if (dateId !== null) query.plannedDateId = dateId;
    if (cursor !== null) query.cursor = cursor;
    const page: { body: Memory[]; headers: Headers } = await memoriesApi.whole(
      'GET /api/Memories',
      { query },
      { signal },
    );
    found.push(...page.body);
    cursor = nextCursor(page.headers.get('link'));
  } while (cursor !== null);
  return found;
}

async function fetchNotes(id: string, signal: AbortSignal): Promise<PrintedDate['notes']> {
  const { mine, theirs, revealed } = await notesApi('GET /api/PlannedDates/{id}/notes', { params: { id } }, { signal });
  if (!revealed) return [];
  return [
    ...(mine === null ? [] : [{ by: 'mine' as const, note: mine }]),
    ...(theirs === null ? [] : [{ by: 'theirs' as const, note: theirs }]),
  ];
}
