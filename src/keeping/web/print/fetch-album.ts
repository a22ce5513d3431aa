import { zoned } from '../../../base/time.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { startOf } from '../../../dates/start-of.ts';
import { dateApi } from '../../../dates/web/api.ts';
import type { Memory } from '../../../memories/contract.ts';
import { nextCursor } from '../../../memories/gallery.ts';
import { memoryApi } from '../../../memories/web/api.ts';
import type { Note } from '../../../notes/contract.ts';
import { noteApi } from '../../../notes/web/api.ts';

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
  const all = await dateApi('GET /api/PlannedDates', {}, { signal });
  const one = all.find(({ id }) => id === dateId);
  if (dateId !== null && one === undefined) return 'Date not found.';
  if (one !== undefined && one.status !== 'Completed') return 'Only a completed date can be printed.';
  const dates = all
    .filter((date) => date.status === 'Completed' && (dateId === null || date.id === dateId))
    .filter((date) => year === null || String(zoned(startOf(date), zone).year) === year)
    .sort((a, b) => startOf(a) - startOf(b));
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

async function fetchMemories(dateId: string | null, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { count: '500', sort: 'story-asc' };
    if (dateId !== null) query.plannedDateId = dateId;
    if (cursor !== null) query.cursor = cursor;
    const page: { body: Memory[]; headers: Headers } = await memoryApi.whole(
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
  const { mine, theirs, revealed } = await noteApi('GET /api/PlannedDates/{id}/notes', { params: { id } }, { signal });
  if (!revealed) return [];
  return [
    ...(mine === null ? [] : [{ by: 'mine' as const, note: mine }]),
    ...(theirs === null ? [] : [{ by: 'theirs' as const, note: theirs }]),
  ];
}
