import type { Reader } from '../../base/server/db/db.ts';
import type { Visibility } from '../../base/server/visibility.ts';
import type { PlanCount, PlanCounts } from '../../ideas/server/plan-counts.ts';
import { readAsVisible } from './visibility-store.ts';

/** The port through which the ideas slice counts dates. */
export const planCounts: PlanCounts = {
  countByIdea: (reader, viewer, now, ideaIds) =>
    readAsVisible(reader, viewer, now, (visibility) => countPlans(reader, visibility, ideaIds)),
  busyIdeas: (reader, viewer, now) =>
    readAsVisible(reader, viewer, now, (visibility) => readBusyIdeas(reader, visibility)),
};

/** Counts the plans of the given ideas that a partner may know of, or of all ideas if null. */
export async function countPlans(
  reader: Reader,
  visibility: Visibility,
  ideaIds: readonly string[] | null,
): Promise<ReadonlyMap<string, PlanCount>> {
  if (ideaIds?.length === 0) return new Map();
  const all = plansByIdea(reader, visibility);
  const rows = await (ideaIds === null ? all : all.where('ideaId', 'in', ideaIds)).execute();
  return new Map(rows.map(({ ideaId, planned, lastPlanned }) => [ideaId, { count: planned, last: lastPlanned }]));
}

/** The ids of the ideas with a date that is planned or in progress, as far as a partner may know. */
export async function readBusyIdeas(
  reader: Reader,
  { coupleId, hiddenDates }: Visibility,
): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('dates')
    .select('ideaId')
    .distinct()
    .$if(hiddenDates.length > 0, (query) => query.where('id', 'not in', hiddenDates))
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('status', 'in', ['Planned', 'InProgress'])
    .execute();
  return new Set(rows.map(({ ideaId }) => ideaId));
}

/** Counts the plans of each idea, and the last one. Cancelled and deleted dates don't count (ideas.wire.1). */
function plansByIdea(reader: Reader, { coupleId, hiddenDates }: Visibility) {
  return reader
    .selectFrom('dates')
    .$if(hiddenDates.length > 0, (query) => query.where('id', 'not in', hiddenDates))
    .select((row) => [
      'ideaId',
      row.fn.countAll<number>().as('planned'),
      row.fn.max('plannedDateTime').as('lastPlanned'),
    ])
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('status', '<>', 'Cancelled')
    .groupBy('ideaId');
}
