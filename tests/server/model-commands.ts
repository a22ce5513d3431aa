import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HOUR } from '../../src/base/durations.ts';
import type { PlannedDate } from '../../src/dates/contract.ts';
import type { Result } from '../support/caller.ts';
import type { Partner } from '../support/partner.ts';
import { upload } from '../support/upload.ts';
import {
  dateOf,
  expectedNotes,
  expectedView,
  isHidden,
  isShown,
  type Model,
  type ModelDate,
  type ModelMemory,
  twinOf,
  type Who,
} from './couple-model.ts';

/** The number of different photographs. It is small, so that the same bytes are uploaded more than once. */
export const PHOTOS = 3;

export interface Real {
  readonly us: readonly [Partner, Partner];
  readonly photos: readonly Buffer[];
}

type Command = fc.AsyncCommand<Model, Real>;

/** A command: one partner makes a call, then the other partner's view is compared with the model. */
function command(
  name: string,
  byBen: boolean,
  act: (model: Model, who: Partner, real: Real) => Promise<void>,
): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      const [ada, ben] = real.us;
      await act(model, byBen ? ben : ada, real);
      await assertSees(model, real, byBen ? 'ada' : 'ben');
    },
    toString: () => `${byBen ? 'Ben' : 'Ada'}: ${name}`,
  };
}

/** Compares what a partner sees with the model. */
export async function assertSees(model: Model, { us: [ada, ben] }: Real, who: Who): Promise<void> {
  assert.deepEqual(await viewOf(who === 'ada' ? ada : ben), sorted(expectedView(model, who)));
}

/** Returns an item of a list, with the index taken modulo its length; undefined if the list is empty. */
function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)];
}

/** Returns everything that a partner sees, in the shape of `expectedView`. */
async function viewOf(who: Partner) {
  const [ideas, dates, memories, trash, stats] = await Promise.all([
    who.call('GET /api/DateIdeas'),
    who.call('GET /api/PlannedDates'),
    who.call('GET /api/Memories'),
    who.call('GET /api/Trash'),
    who.call('GET /api/Stats'),
  ]);
  assert.equal(stats.body.totalMemories, Number(memories.headers.get('x-total-count')));
  return sorted({
    ideas: ideas.body.map(({ id, title, isActive, hearts, plannedDatesCount }) => ({
      id,
      title,
      isActive,
      hearts,
      plannedDatesCount,
    })),
    dates: dates.body.map(({ id, dateIdea, status, memoryCount, surprise }) => ({
      id,
      title: dateIdea.title,
      status,
      memoryCount,
      surprise,
    })),
    memories: memories.body.map(({ id, plannedDateId }) => ({ id, plannedDateId })),
    trash: trash.body.map(({ id, kind, memoryCount }) => ({ id, kind, memoryCount })),
    completed: stats.body.totalCompletedDates,
    count: stats.body.totalMemories,
  });
}

function sorted(view: ReturnType<typeof expectedView>) {
  const byId = <T extends { id: string }>(list: readonly T[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    ...view,
    ideas: byId(view.ideas),
    dates: byId(view.dates),
    memories: byId(view.memories),
    trash: byId(view.trash),
  };
}

/** Sends a create with an idempotency key. With `again` it sends it twice, and both must have the same result. */
async function creating<T extends { id: string }>(
  again: boolean,
  send: (headers: Record<string, string>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const first = await send(headers);
  if (!again || first.status >= 300) return first;
  const second = await send(headers);
  assert.deepEqual([second.status, second.body.id], [first.status, first.body.id]);
  return first;
}

const whoIs = (byBen: boolean): Who => (byBen ? 'ben' : 'ada');

const flag = fc.boolean();
const index = fc.nat(20);

const addIdea = fc
  .tuple(
    flag,
    fc.string({ minLength: 1, maxLength: 20 }).filter((t) => t.trim() !== ''),
    flag,
  )
  .map(([byBen, title, again]) =>
    command(`adds the idea ${JSON.stringify(title)}`, byBen, async (model, who) => {
      const body = { title, category: 'Outdoor' } as const;
      const answer = await creating(again, (headers) => who.call('POST /api/DateIdeas', { body }, { headers }));
      assert.equal(answer.status, 201);
      const idea = { title: title.trim().normalize('NFC'), isActive: true, isDeleted: false, hearts: new Set<Who>() };
      model.ideas.push({ id: answer.body.id, ...idea });
    }),
  );

const editIdea = fc.tuple(flag, index, flag).map(([byBen, at, isActive]) =>
  command(`makes idea ${at} ${isActive ? 'active' : 'inactive'}`, byBen, async (model, who) => {
    const idea = pick(model.ideas, at);
    if (!idea) return;
    const body = { title: `${idea.title}!`.slice(-200), category: 'Food', isActive } as const;
    const { status } = await who.call('PUT /api/DateIdeas/{id}', { params: { id: idea.id }, body });
    assert.equal(status, idea.isDeleted ? 404 : 200);
    if (status === 200) Object.assign(idea, { title: body.title.trim(), isActive });
  }),
);

const pressHeart = fc.tuple(flag, index, flag).map(([byBen, at, isOn]) =>
  command(`${isOn ? 'puts' : 'takes back'} a heart on idea ${at}`, byBen, async (model, who) => {
    const idea = pick(model.ideas, at);
    if (!idea) return;
    const method = isOn ? 'PUT' : 'DELETE';
    const { status, body } = await who.call(`${method} /api/DateIdeas/{id}/heart`, { params: { id: idea.id } });
    assert.equal(status, idea.isDeleted ? 404 : 200);
    if (idea.isDeleted) return;
    if (isOn) idea.hearts.add(byBen ? 'ben' : 'ada');
    else idea.hearts.delete(byBen ? 'ben' : 'ada');
    assert.deepEqual(body.hearts, { mine: isOn, mutual: idea.hearts.size === 2 });
  }),
);

const deleteIdea = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`deletes idea ${at}`, byBen, async (model, who) => {
    const idea = pick(model.ideas, at);
    if (!idea) return;
    const { status } = await who.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    assert.equal(status, idea.isDeleted ? 404 : 204);
    idea.isDeleted = true;
  }),
);

const planDate = fc.tuple(flag, index, flag, flag, flag).map(([byBen, at, again, isPast, surprise]) =>
  command(
    `plans idea ${at}${surprise ? ' as a surprise' : ''}${isPast ? ' for an hour ago' : ''}`,
    byBen,
    async (model, who) => {
      const idea = pick(model.ideas, at);
      if (!idea) return;
      const body = { dateIdeaId: idea.id, plannedDateTime: agoText(isPast ? 1 : -1), surprise };
      const answer = await creating(again, (headers) => who.call('POST /api/PlannedDates', { body }, { headers }));
      assert.equal(answer.status, idea.isDeleted ? 404 : idea.isActive ? 201 : 409);
      if (answer.status === 201) {
        const surpriseBy = surprise ? whoIs(byBen) : null;
        const date = { id: answer.body.id, ideaId: idea.id, plannedBy: whoIs(byBen), isPast };
        const surpriseState = { surpriseBy, isRevealed: isPast };
        const plan = { status: 'Planned', state: 'there', went: null, notes: new Map<Who, string>() } as const;
        model.dates.push({ ...date, ...surpriseState, ...plan });
      }
    },
  ),
);

type Step = 'start' | 'complete' | 'cancel';
const STEPS: Readonly<Record<Step, { from: PlannedDate['status']; to: PlannedDate['status'] }>> = {
  start: { from: 'Planned', to: 'InProgress' },
  complete: { from: 'InProgress', to: 'Completed' },
  cancel: { from: 'Planned', to: 'Cancelled' },
};

const stepDate = fc
  .tuple(flag, index, fc.constantFrom<Step>('start', 'start', 'complete', 'complete', 'cancel'))
  .map(([byBen, at, step]) =>
    command(`${step}s date ${at}`, byBen, async (model, who) => {
      const date = pick(model.dates, at);
      if (!date) return;
      const { from, to } = STEPS[step];
      const times = { actualStartTime: agoText(2), actualEndTime: agoText(1) };
      const { status } = await who.request(`POST /api/PlannedDates/${date.id}/${step}`, {
        body: step === 'complete' ? times : undefined,
      });
      const isAllowed = date.status === from && !isHidden(date, whoIs(byBen));
      assert.equal(status, date.state !== 'there' ? 404 : isAllowed ? 200 : 409);
      if (status === 200) Object.assign(date, { status: to, isRevealed: true });
    }),
  );

function agoText(hours: number): string {
  return new Date(Date.now() - hours * HOUR).toISOString();
}

const weWent = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`says ‘We went!’ of date ${at}`, byBen, async (model, who) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const { status } = await who.call('POST /api/PlannedDates/{id}/went', { params: { id: date.id }, body: {} });
    const isRefused = date.status !== 'Planned' || isHidden(date, whoIs(byBen));
    const expected = isRefused ? 409 : date.isPast ? 200 : 400;
    assert.equal(status, date.state === 'there' ? expected : 404);
    if (status === 200) Object.assign(date, { status: 'Completed', went: { byBen, at: Date.now() } });
  }),
);

/** 'We went!' can be undone for a minute. Close to its end, the model does not know what the server answers. */
const SURELY_WITHIN_MS = 50_000;

const undoWent = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`undoes ‘We went!’ of date ${at}`, byBen, async (model, who) => {
    const date = pick(model.dates, at);
    if (!date || (date.went && Date.now() - date.went.at > SURELY_WITHIN_MS)) return;
    const { status } = await who.call('POST /api/PlannedDates/{id}/went/undo', { params: { id: date.id } });
    const isAllowed = date.status === 'Completed' && date.went?.byBen === byBen;
    assert.equal(status, date.state !== 'there' ? 404 : isAllowed ? 200 : 409);
    if (status === 200) Object.assign(date, { status: 'Planned', went: null });
  }),
);

const deleteDate = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`deletes date ${at}`, byBen, async (model, who) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const { status } = await who.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    const expected = isHidden(date, whoIs(byBen)) ? 409 : 204;
    assert.equal(status, date.state === 'there' ? expected : 404);
    if (status === 204) date.state = 'trash';
  }),
);

const reveal = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`reveals date ${at}`, byBen, async (model, who) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const body = { plannedDateTime: agoText(date.isPast ? 1 : -1), surprise: false };
    const { status } = await who.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    const isPlanner = date.plannedBy === whoIs(byBen);
    const isSealed = isHidden(date, whoIs(byBen));
    const expected = isSealed ? 409 : !isPlanner ? 403 : date.status === 'Completed' ? 409 : 200;
    assert.equal(status, date.state === 'there' ? expected : 404);
    if (status === 200) date.isRevealed = true;
  }),
);

const addMemory = fc.tuple(flag, index, fc.nat(PHOTOS - 1), flag).map(([byBen, at, photo, again]) =>
  command(`adds photograph ${photo} to date ${at}`, byBen, async (model, who, { photos }) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const twin = twinOf(model, date.id, photo);
    const answer = await creating(again, (headers) =>
      upload(who, photos[photo] ?? null, { dateId: date.id }, headers['idempotency-key']),
    );
    assert.equal(answer.status, expectedUpload(date, twin !== undefined, isHidden(date, whoIs(byBen))));
    if (answer.status === 200) assert.equal(answer.body.id, twin?.id);
    if (answer.status === 201) model.memories.push({ id: answer.body.id, dateId: date.id, photo, state: 'there' });
  }),
);

function expectedUpload(date: ModelDate, hasTwin: boolean, isHiddenDate: boolean): number {
  if (date.state !== 'there') return 404;
  if (isHiddenDate) return 409;
  if (hasTwin) return 200;
  return date.status === 'Cancelled' ? 409 : 201;
}

const deleteMemory = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`deletes memory ${at}`, byBen, async (model, who) => {
    const memory = pick(model.memories, at);
    if (!memory) return;
    const { status } = await who.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    const isThere = isShown(model, memory) && !isHidden(dateOf(model, memory), whoIs(byBen));
    assert.equal(status, isThere ? 204 : 404);
    if (status === 204) memory.state = 'trash';
  }),
);

const restoreMemory = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`puts memory ${at} back`, byBen, async (model, who) => {
    const memory = pick(model.memories, at);
    if (!memory) return;
    const { status } = await who.call('POST /api/Trash/{id}/restore', { params: { id: memory.id } });
    const isBlocked =
      dateOf(model, memory).state !== 'there' || twinOf(model, memory.dateId, memory.photo) !== undefined;
    const isThere = memory.state === 'trash' && !isHidden(dateOf(model, memory), whoIs(byBen));
    assert.equal(status, !isThere ? 404 : isBlocked ? 409 : 200);
    if (status === 200) memory.state = 'there';
  }),
);

const restoreDate = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`puts date ${at} back`, byBen, async (model, who) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const { status } = await who.call('POST /api/Trash/{id}/restore', { params: { id: date.id } });
    const expected = isHidden(date, whoIs(byBen)) ? 409 : 200;
    assert.equal(status, date.state === 'trash' ? expected : 404);
    if (status === 200) date.state = 'there';
  }),
);

const erase = fc.tuple(flag, index, flag).map(([byBen, at, isDate]) =>
  command(`deletes ${isDate ? 'date' : 'memory'} ${at} for good`, byBen, async (model, who) => {
    const thing = pick<ModelDate | ModelMemory>(isDate ? model.dates : model.memories, at);
    if (!thing) return;
    const { status } = await who.call('DELETE /api/Trash/{id}', { params: { id: thing.id } });
    const isMemory = 'dateId' in thing;
    const isSecret = isHidden(isMemory ? dateOf(model, thing) : thing, whoIs(byBen));
    const refused = isMemory ? 404 : 409;
    assert.equal(status, thing.state !== 'trash' ? 404 : isSecret ? refused : 204);
    if (status !== 204) return;
    thing.state = 'gone';
    for (const memory of model.memories) if (memory.dateId === thing.id) memory.state = 'gone';
  }),
);

const writeNote = fc.tuple(flag, index, fc.constantFrom('One', 'Two')).map(([byBen, at, text]) =>
  command(`writes the note ‘${text}’ about date ${at}`, byBen, async (model, who, real) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const params = { id: date.id };
    const { status } = await who.call('PUT /api/PlannedDates/{id}/notes/mine', { params, body: { text } });
    const isSealed = date.notes.size < 2 && date.status === 'Completed';
    assert.equal(status, date.state !== 'there' ? 404 : isSealed ? 200 : 409);
    if (status === 200) date.notes.set(whoIs(byBen), text);
    await assertSeesNotes(date, real);
  }),
);

const takeNoteBack = fc.tuple(flag, index).map(([byBen, at]) =>
  command(`takes the note about date ${at} back`, byBen, async (model, who, real) => {
    const date = pick(model.dates, at);
    if (!date) return;
    const { status } = await who.call('DELETE /api/PlannedDates/{id}/notes/mine', { params: { id: date.id } });
    const isRefused = date.notes.size === 2;
    const isThere = date.state === 'there' && (isRefused || date.notes.has(whoIs(byBen)));
    assert.equal(status, !isThere ? 404 : isRefused ? 409 : 204);
    if (status === 204) date.notes.delete(whoIs(byBen));
    await assertSeesNotes(date, real);
  }),
);

/** Compares what both partners see of a date's notes with the model. */
async function assertSeesNotes(date: ModelDate, { us: [ada, ben] }: Real): Promise<void> {
  for (const [name, who] of [
    ['ada', ada],
    ['ben', ben],
  ] as const) {
    const { status, body } = await who.call('GET /api/PlannedDates/{id}/notes', { params: { id: date.id } });
    assert.equal(status, date.state === 'there' ? 200 : 404);
    if (status !== 200) continue;
    const { mine, theirs, ...rest } = body;
    assert.deepEqual({ mine: mine?.text ?? null, theirs: theirs?.text ?? null, ...rest }, expectedNotes(date, name));
  }
}

/** The commands that every run starts with, so that the others have something to work on. */
export const firstCommands = [addIdea, planDate, addMemory] as const;

/** All commands; the most frequent ones are listed twice. */
export const allCommands: fc.Arbitrary<Command>[] = [
  addIdea,
  planDate,
  planDate,
  addMemory,
  addMemory,
  stepDate,
  weWent,
  weWent,
  undoWent,
  undoWent,
  editIdea,
  pressHeart,
  pressHeart,
  deleteIdea,
  deleteDate,
  reveal,
  deleteMemory,
  restoreMemory,
  restoreDate,
  erase,
  writeNote,
  writeNote,
  writeNote,
  takeNoteBack,
];
