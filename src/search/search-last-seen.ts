import { searchWords } from '../base/search-text.ts';
import type { PlannedDate } from '../dates/contract.ts';
import { compareTitles } from '../ideas/compare-titles.ts';
import type { DateIdea } from '../ideas/contract.ts';
import type { Memory } from '../memories/contract.ts';
import type { NotesOfDate } from '../notes/contract.ts';
import type { SearchResult } from './contract.ts';
import { isDateMatch, isIdeaMatch, isMemoryMatch } from './matches.ts';

/** An answer that the device has seen: the key of its query, and its data. */
export interface SeenAnswer {
  readonly key: readonly unknown[];
  readonly data: unknown;
}

/** What a device has seen of the couple, each thing as it was last. */
interface Seen {
  readonly ideas: Map<string, DateIdea>;
  readonly dates: Map<string, PlannedDate>;
  readonly memories: Map<string, Memory>;
  readonly notes: Map<string, NotesOfDate>;
}

/** Searches what a device has last seen, as the server searches everything (search.10). @param answers oldest first */
export function searchLastSeen(answers: readonly SeenAnswer[], query: string, limit: number): SearchResult {
  const words = searchWords(query);
  const known = thingsLastSeen(answers);
  const ideas = [...known.ideas.values()].filter((idea) => isIdeaMatch(words, idea)).sort(compareTitles);
  const dates = [...known.dates.values()]
    .filter((date) => isDateMatch(words, { ...date, title: date.dateIdea.title }, notesOf(known, date)))
    .sort((a, b) => (a.plannedDateTime < b.plannedDateTime ? 1 : -1));
  const memories = [...known.memories.values()]
    .filter((memory) => isMemoryMatch(words, memory))
    .sort((a, b) => (a.happenedAt < b.happenedAt ? 1 : -1));
  return {
    ideas: ideas.slice(0, limit),
    plannedDates: dates.slice(0, limit),
    memories: memories.slice(0, limit),
    counts: { ideas: ideas.length, plannedDates: dates.length, memories: memories.length },
  };
}

/** Returns what a device has seen, by id; the notes by the id of their date. @param answers oldest first */
export function thingsLastSeen(answers: readonly SeenAnswer[]): Seen {
  const known: Seen = { ideas: new Map(), dates: new Map(), memories: new Map(), notes: new Map() };
  for (const { key, data } of answers) {
    forgetMissing(key, data, known);
    if (key[0] === 'dates' && key[1] === 'notes') known.notes.set(String(key[2]), data as NotesOfDate);
    else collect(data, known);
  }
  return known;
}

/** Forgets what was seen before a complete list: what that list doesn't have is deleted. */
function forgetMissing([slice, list, dateId]: readonly unknown[], data: unknown, known: Seen): void {
  const { ideas, dates, memories } = known;
  if (slice === 'ideas' && list === 'every') ideas.clear();
  if (slice === 'dates' && list === 'list') dates.clear();
  if (slice !== 'memories' || !isCompleteList(data)) return;
  for (const { id, plannedDateId } of memories.values()) {
    if (dateId === null || dateId === plannedDateId) memories.delete(id);
  }
}

/** Returns whether data is a list of memories, of one date or of all, with all of its memories. */
function isCompleteList(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('total' in data)) return false;
  const found: Seen = { ideas: new Map(), dates: new Map(), memories: new Map(), notes: new Map() };
  collect(data, found);
  return found.memories.size === data.total;
}

function notesOf({ notes }: Seen, { id }: PlannedDate): string[] {
  const { mine, theirs } = notes.get(id) ?? { mine: null, theirs: null };
  return [mine, theirs].flatMap((note) => note?.text ?? []);
}

/** Collects the ideas, dates and memories in any answer: lists, single ones, the gallery's sheets. */
function collect(data: unknown, known: Seen): void {
  if (typeof data !== 'object' || data === null) return;
  if (data instanceof Map) {
    for (const value of data.values()) collect(value, known);
  } else if (Array.isArray(data)) {
    for (const value of data) collect(value, known);
  } else if ('thumbHash' in data) {
    known.memories.set((data as Memory).id, data as Memory);
  } else if ('dateIdea' in data) {
    known.dates.set((data as PlannedDate).id, data as PlannedDate);
  } else if ('hearts' in data && 'title' in data) {
    known.ideas.set((data as DateIdea).id, data as DateIdea);
  } else {
    for (const value of Object.values(data)) collect(value, known);
  }
}
