import type { PlannedDate } from '../../src/dates/contract.ts';

/** The story as a simple model has it: what every call should answer and every list should hold follows from it. */
export interface Model {
  readonly ideas: { id: string; title: string; isActive: boolean; isDeleted: boolean }[];
  readonly dates: ModelDate[];
  readonly memories: ModelMemory[];
}

export interface ModelDate {
  readonly id: string;
  readonly ideaId: string;
  status: PlannedDate['status'];
  state: 'there' | 'trash' | 'gone';
}

export interface ModelMemory {
  readonly id: string;
  readonly dateId: string;
  /** Which of the photographs it is. */
  readonly photo: number;
  state: 'there' | 'trash' | 'gone';
}

export function emptyModel(): Model {
  return { ideas: [], dates: [], memories: [] };
}

/** A memory's date, which is never forgotten while it has memories. */
export function dateOf({ dates }: Model, { dateId }: ModelMemory): ModelDate {
  const date = dates.find(({ id }) => id === dateId);
  if (!date) throw new Error('A memory without a date');
  return date;
}

/** Whether a memory is shown: neither in the trash itself nor there with its date. */
export function isShown(model: Model, memory: ModelMemory): boolean {
  return memory.state === 'there' && dateOf(model, memory).state === 'there';
}

/** The memory of a date that has these bytes. */
export function twinOf(model: Model, dateId: string, photo: number): ModelMemory | undefined {
  return model.memories.find((one) => one.dateId === dateId && one.photo === photo && isShown(model, one));
}

/** What the two should see, in no order. */
export function expectedSight(model: Model) {
  const there = model.dates.filter(({ state }) => state === 'there');
  const shown = model.memories.filter((memory) => isShown(model, memory));
  const along = (date: ModelDate) =>
    model.memories.filter(({ dateId, state }) => dateId === date.id && state === 'there').length;
  return {
    ideas: model.ideas
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id, title, isActive }) => ({
        ...{ id, title, isActive },
        plannedDatesCount: there.filter(({ ideaId, status }) => ideaId === id && status !== 'Cancelled').length,
      })),
    dates: there.map((date) => ({ id: date.id, status: date.status, memoryCount: along(date) })),
    memories: shown.map(({ id, dateId }) => ({ id, plannedDateId: dateId })),
    trash: [
      ...model.memories
        .filter(({ state }) => state === 'trash')
        .map(({ id }) => ({ id, kind: 'memory', memoryCount: 1 })),
      ...model.dates
        .filter(({ state }) => state === 'trash')
        .map((date) => ({ id: date.id, kind: 'plannedDate', memoryCount: along(date) })),
    ],
    completed: there.filter(({ status }) => status === 'Completed').length,
    count: shown.length,
  };
}
