import { formatInstant } from '../../base/instants.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { CategoryValue } from '../categories.ts';
import type { DateIdea } from '../contract.ts';
import { type Hearts, heartsVisibleTo } from '../hearts.ts';
import { readHearts } from './heart-store.ts';
import { NEVER_PLANNED, type PlanCount, type PlanCounts } from './plan-counts.ts';
import type { IdeaRow } from './store.ts';

/** An idea in the contract's shape. */
export function ideaView(row: IdeaRow, { count, last }: PlanCount, hearts: Hearts): DateIdea {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    category: row.category as CategoryValue,
    isActive: row.isActive === 1,
    plannedDatesCount: count,
    lastPlannedDate: last === null ? null : formatInstant(last),
    hearts: { ...hearts },
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}

/** Reads the counts and hearts of an idea. The queries run one after the other, because `reader` may be a transaction. */
export async function readIdeaView(
  reader: Reader,
  plans: PlanCounts,
  row: IdeaRow,
  viewer: Viewer,
  now: number,
): Promise<DateIdea> {
  const counts = await plans.countByIdea(reader, viewer, now, [row.id]);
  const hearts = await readHearts(reader, row.coupleId, [row.id]);
  return ideaView(row, counts.get(row.id) ?? NEVER_PLANNED, heartsVisibleTo(viewer.userId, hearts.get(row.id) ?? []));
}

/**
 * Reads ideas as a partner may see them: their rows, counts and hearts, concurrently.
 * @param ideaIds the ideas whose counts and hearts are read; null reads those of all
 */
export async function ideaViews(
  reader: Reader,
  plans: Pick<PlanCounts, 'countByIdea'>,
  viewer: Viewer,
  {
    rows,
    now,
    ideaIds,
  }: {
    readonly rows: readonly IdeaRow[] | Promise<readonly IdeaRow[]>;
    readonly now: number;
    readonly ideaIds: readonly string[] | null;
  },
): Promise<DateIdea[]> {
  const [found, counts, hearts] = await Promise.all([
    rows,
    plans.countByIdea(reader, viewer, now, ideaIds),
    readHearts(reader, viewer.coupleId, ideaIds),
  ]);
  return found.map((row) =>
    ideaView(row, counts.get(row.id) ?? NEVER_PLANNED, heartsVisibleTo(viewer.userId, hearts.get(row.id) ?? [])),
  );
}
