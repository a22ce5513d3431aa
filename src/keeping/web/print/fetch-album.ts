import { zoned } from '../../../base/instants.ts';
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
import { thingsLastSeen } from '../../../search/search-last-seen.ts';
import type { NotesCache } from './notes-cache.ts';

/** How many dates' notes are asked for at a time. */
const AT_ONCE = 8;

/** What to print: one date, a year, or everything. */
export type PrintChoice = { readonly dateId: string } | { readonly year: string } | 'everything';

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

/** Fetches what the album shows. @param zone the couple's @param cache what it fetches of the notes is added to it */
export async function fetchAlbum(
  choice: PrintChoice,
  { userId, zone, cache }: { readonly userId: string; readonly zone: string; readonly cache: NotesCache },
  signal: AbortSignal,
): Promise<AlbumToPrint | NothingToPrint> {
  try {
    const all = await dateApi('GET /api/PlannedDates', {}, { signal });
    const dates = datesToPrint(all, choice, zone);
    if (typeof dates === 'string') return dates;
    const memories = dates.length === 0 ? [] : await fetchAllMemories(choice, signal);
    await fetchNotes(dates, cache, signal);
    return { dates: withMemories(dates, memories, cache), isLastSeen: false };
  } catch (error) {
    if (signal.aborted || !asApiError(error).isUnanswered) throw error;
    const seen = thingsLastSeen(allLastSeen(userId));
    const dates = datesToPrint([...seen.dates.values()], choice, zone);
    if (typeof dates === 'string' || dates.length === 0) throw error;
    return { dates: withMemories(dates, [...seen.memories.values()], seen.notes), isLastSeen: true };
  }
}

function datesToPrint(all: readonly PlannedDate[], choice: PrintChoice, zone: string): PlannedDate[] | NothingToPrint {
  if (choice !== 'everything' && 'dateId' in choice) {
    const date = all.find(({ id }) => id === choice.dateId);
    if (date === undefined) return 'Date not found.';
    return date.status === 'Completed' ? [date] : 'Only a completed date can be printed.';
  }
  return all
    .filter(({ status }) => status === 'Completed')
    .filter((date) => choice === 'everything' || String(zoned(startOf(date), zone).year) === choice.year)
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

async function fetchAllMemories(choice: PrintChoice, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { count: '500', sort: 'story-asc' };
    if (choice !== 'everything' && 'dateId' in choice) query.plannedDateId = choice.dateId;
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

async function fetchNotes(dates: readonly PlannedDate[], cache: NotesCache, signal: AbortSignal): Promise<void> {
  const unknown = dates.filter(({ id }) => !cache.has(id));
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    const some = unknown.slice(from, from + AT_ONCE).map(async ({ id }) => {
      cache.set(id, await noteApi('GET /api/PlannedDates/{id}/notes', { params: { id } }, { signal }));
    });
    await Promise.all(some);
  }
}
