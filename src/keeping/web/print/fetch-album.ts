import { zoned } from '../../../base/time.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { allLastSeen } from '../../../base/web/storage/last-seen.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { startOf } from '../../../dates/start-of.ts';
import { dateApi } from '../../../dates/web/api.ts';
import type { Memory } from '../../../memories/contract.ts';
import { nextCursor } from '../../../memories/next-cursor.ts';
import { memoryApi } from '../../../memories/web/api.ts';
import type { NotesOfDate } from '../../../notes/contract.ts';
import { noteApi } from '../../../notes/web/api.ts';
import { thingsLastSeen } from '../../../search/last-seen.ts';
import type { KnownNotes } from './known-notes.ts';

/** How many dates' notes are asked for at a time. */
const AT_ONCE = 8;

/** What to print: one date, a year, or everything. */
export interface PrintChoice {
  readonly dateId: string | null;
  readonly year: string | null;
}

/** A date of the printed album. */
export interface PrintedDate {
  readonly date: PlannedDate;
  readonly memories: readonly Memory[];
  readonly notes: NotesOfDate | null;
}

/** Why there is nothing to print. */
type NothingToPrint = 'Date not found.' | 'Only a completed date can be printed.';

/** The dates to print, earliest first. Without a connection they are what this device last saw. */
export interface AlbumToPrint {
  readonly dates: readonly PrintedDate[];
  readonly isLastSeen: boolean;
}

/** Fetches what the album shows. @param zone the couple's @param known gets the notes that it fetches */
export async function fetchAlbum(
  choice: PrintChoice,
  { userId, zone, known }: { readonly userId: string; readonly zone: string; readonly known: KnownNotes },
  signal: AbortSignal,
): Promise<AlbumToPrint | NothingToPrint> {
  try {
    const all = await dateApi('GET /api/PlannedDates', {}, { signal });
    const dates = datesToPrint(all, choice, zone);
    if (typeof dates === 'string') return dates;
    const memories = dates.length === 0 ? [] : await fetchMemories(choice.dateId, signal);
    await fetchNotes(dates, known, signal);
    return { dates: withMemories(dates, memories, known), isLastSeen: false };
  } catch (error) {
    if (signal.aborted || !asApiError(error).isUnanswered) throw error;
    const seen = thingsLastSeen(allLastSeen(userId));
    const dates = datesToPrint([...seen.dates.values()], choice, zone);
    if (typeof dates === 'string' || dates.length === 0) throw error;
    return { dates: withMemories(dates, [...seen.memories.values()], seen.notes), isLastSeen: true };
  }
}

function datesToPrint(
  all: readonly PlannedDate[],
  { dateId, year }: PrintChoice,
  zone: string,
): PlannedDate[] | NothingToPrint {
  const one = all.find(({ id }) => id === dateId);
  if (dateId !== null && one === undefined) return 'Date not found.';
  if (one !== undefined && one.status !== 'Completed') return 'Only a completed date can be printed.';
  return all
    .filter((date) => date.status === 'Completed' && (dateId === null || date.id === dateId))
    .filter((date) => year === null || String(zoned(startOf(date), zone).year) === year)
    .sort((a, b) => startOf(a) - startOf(b));
}

function withMemories(
  dates: readonly PlannedDate[],
  memories: readonly Memory[],
  notes: ReadonlyMap<string, NotesOfDate>,
): PrintedDate[] {
  const byDate = Map.groupBy(memories, ({ plannedDateId }) => plannedDateId);
  return dates.map((date) => ({
    date,
    memories: (byDate.get(date.id) ?? []).toSorted(earliestFirst),
    notes: notes.get(date.id) ?? null,
  }));
}

function earliestFirst(a: Memory, b: Memory): number {
  return Date.parse(a.happenedAt) - Date.parse(b.happenedAt) || Date.parse(a.uploadedAt) - Date.parse(b.uploadedAt);
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

async function fetchNotes(dates: readonly PlannedDate[], known: KnownNotes, signal: AbortSignal): Promise<void> {
  const unknown = dates.filter(({ id }) => !known.has(id));
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    const some = unknown.slice(from, from + AT_ONCE).map(async ({ id }) => {
      known.set(id, await noteApi('GET /api/PlannedDates/{id}/notes', { params: { id } }, { signal }));
    });
    await Promise.all(some);
  }
}
