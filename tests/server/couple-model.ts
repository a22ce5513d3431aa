import type { PlannedDate } from '../../src/dates/contract.ts';

/** A simple in-memory model of a couple's data, from which the expected result of every call is derived. */
export interface Model {
  readonly ideas: ModelIdea[];
  readonly dates: ModelDate[];
  readonly memories: ModelMemory[];
}

export interface ModelIdea {
  readonly id: string;
  title: string;
  isActive: boolean;
  isDeleted: boolean;
  /** The partners who have put a heart on it. */
  readonly hearts: Set<Who>;
}

/** One of the two partners. */
export type Who = 'ada' | 'ben';

export interface ModelDate {
  readonly id: string;
  readonly ideaId: string;
  status: PlannedDate['status'];
  /** Whether its planned time has passed. */
  readonly isPast: boolean;
  /** Who completed it with 'We went!', and when; null if it was not completed so. */
  went: { readonly byBen: boolean; readonly at: number } | null;
  readonly plannedBy: Who;
  /** Who plans it as a surprise; null if it never was one. */
  readonly surpriseBy: Who | null;
  isRevealed: boolean;
  /** The texts of the two notes. */
  readonly notes: Map<Who, string>;
  state: 'there' | 'trash' | 'gone';
}

export interface ModelMemory {
  readonly id: string;
  readonly dateId: string;
  /** The index of the photograph. */
  readonly photo: number;
  state: 'there' | 'trash' | 'gone';
}

export function emptyModel(): Model {
  return { ideas: [], dates: [], memories: [] };
}

/** Returns the date of a memory. The model keeps deleted dates, so it always exists. */
export function dateOf({ dates }: Model, { dateId }: ModelMemory): ModelDate {
  const date = dates.find(({ id }) => id === dateId);
  if (!date) throw new Error('A memory without a date');
  return date;
}

/** Whether a memory is shown: neither it nor its date is in the trash or deleted. */
export function isShown(model: Model, memory: ModelMemory): boolean {
  return memory.state === 'there' && dateOf(model, memory).state === 'there';
}

/** Returns the visible memory of a date with the same photograph, if any. */
export function twinOf(model: Model, dateId: string, photo: number): ModelMemory | undefined {
  return model.memories.find((one) => one.dateId === dateId && one.photo === photo && isShown(model, one));
}

/** Whether a partner may know only the time of a date. */
export function isHidden(date: ModelDate, who: Who): boolean {
  return date.surpriseBy !== null && date.surpriseBy !== who && !date.isRevealed;
}

/** Returns what a partner should see of the two notes of a date. */
export function expectedNotes({ notes }: ModelDate, who: Who) {
  const [mine, theirs] = [notes.get(who) ?? null, notes.get(who === 'ada' ? 'ben' : 'ada') ?? null];
  const revealed = mine !== null && theirs !== null;
  return { mine, theirs: revealed ? theirs : null, theirsWritten: theirs !== null, revealed };
}

/** Returns what a partner should see, in no particular order: the same for both, but for hearts and surprises. */
export function expectedView(model: Model, who: Who) {
  const there = model.dates.filter(({ state }) => state === 'there');
  const isVisible = (memory: ModelMemory) => !isHidden(dateOf(model, memory), who);
  const shown = model.memories.filter((memory) => isShown(model, memory) && isVisible(memory));
  const memoryCount = (date: ModelDate) =>
    model.memories.filter((one) => one.dateId === date.id && one.state === 'there' && isVisible(one)).length;
  const titleOf = (date: ModelDate) =>
    isHidden(date, who) ? 'A surprise' : (model.ideas.find(({ id }) => id === date.ideaId)?.title ?? '');
  return {
    ideas: model.ideas
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id, title, isActive, hearts }) => ({
        id,
        title,
        isActive,
        hearts: { mine: hearts.has(who), mutual: hearts.size === 2 },
        plannedDatesCount: there.filter(
          (date) => date.ideaId === id && date.status !== 'Cancelled' && !isHidden(date, who),
        ).length,
      })),
    dates: there.map((date) => ({
      id: date.id,
      title: titleOf(date),
      status: date.status,
      memoryCount: memoryCount(date),
      surprise: date.surpriseBy && { mine: date.surpriseBy === who, revealed: date.isRevealed },
    })),
    memories: shown.map(({ id, dateId }) => ({ id, plannedDateId: dateId })),
    trash: [
      ...model.memories
        .filter((memory) => memory.state === 'trash' && isVisible(memory))
        .map(({ id }) => ({ id, kind: 'memory', memoryCount: 1 })),
      ...model.dates
        .filter(({ state }) => state === 'trash')
        .map((date) => ({ id: date.id, kind: 'plannedDate', memoryCount: memoryCount(date) })),
    ],
    completed: there.filter(({ status }) => status === 'Completed').length,
    count: shown.length,
  };
}
