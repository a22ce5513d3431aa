import type { CoupleId, UserId } from '../../base/ids.ts';
import { notFound, refuseField } from '../../base/refusal.ts';
import { created, etagOf, tagged } from '../../base/server/answer.ts';
import { cacheUntilCommit } from '../../base/server/commit-cache.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { assertMatches } from '../../base/server/if-match.ts';
import type { Routes } from '../../base/server/serve.ts';
import { formatInstant } from '../../base/time.ts';
import type { DateIdea, ideaCalls } from '../contract.ts';
import type { CategoryValue } from '../rules.ts';
import { CATEGORIES, compareTitles, findCategory } from '../rules.ts';
import type { IdeaRow } from './store.ts';
import { activeIdeas, allIdeas, deleteIdea, findIdea, insertIdea, lockIdea, replaceIdea } from './store.ts';

/** The port through which ideas read their plan counts. The dates slice implements it (contract 3). */
export interface PlanCounts {
  /** Counts plans by idea, without cancelled and deleted ones; of all ideas if null. Ideas never planned may be missing. */
  countByIdea(
    reader: Reader,
    coupleId: CoupleId,
    ideaIds: readonly string[] | null,
  ): Promise<ReadonlyMap<string, PlanCount>>;
}

export interface PlanCount {
  readonly count: number;
  /** The latest planned time, in milliseconds. */
  readonly last: number | null;
}

/** The count of an idea that was never planned. */
export const NEVER_PLANNED: PlanCount = { count: 0, last: null };

function ideaView(row: IdeaRow, { count, last }: PlanCount = NEVER_PLANNED): DateIdea {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    category: row.category as CategoryValue,
    isActive: row.isActive === 1,
    plannedDatesCount: count,
    lastPlannedDate: last === null ? null : formatInstant(last),
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  };
}

/** The routes for date ideas (spec 7, contract 3). */
export function ideaRoutes({ db, announce }: Deps, plans: PlanCounts): Routes<typeof ideaCalls> {
  const viewOf = async (reader: Reader, row: IdeaRow) => {
    const counts = await plans.countByIdea(reader, row.coupleId, [row.id]);
    return ideaView(row, counts.get(row.id));
  };

  /** Reads a list and its counts concurrently. */
  const listOf = async (coupleId: CoupleId, rows: Promise<IdeaRow[]>) => {
    const [found, counts] = await Promise.all([rows, plans.countByIdea(db.read, coupleId, null)]);
    return found.map((row) => ideaView(row, counts.get(row.id)));
  };

  const all = cacheUntilCommit(db, (coupleId) => listOf(coupleId, allIdeas(db.read, coupleId)));
  const active = cacheUntilCommit(db, (coupleId) => activeByTitle(coupleId, null));

  const activeByTitle = async (coupleId: CoupleId, category: CategoryValue | null) =>
    (await listOf(coupleId, activeIdeas(db.read, coupleId, category))).sort(compareTitles);

  const found = async (reader: Reader, coupleId: CoupleId, id: string) => {
    const row = await findIdea(reader, coupleId, id);
    if (!row) throw notFound('Date idea');
    return row;
  };

  const announceIdea = (
    tx: Writer,
    action: 'created' | 'updated' | 'deleted',
    id: string,
    { coupleId, userId }: { coupleId: CoupleId; userId: UserId },
  ) => announce(tx, coupleId, { entity: 'dateIdea', id, action, by: userId });

  return {
    'GET /api/DateIdeas': ({ session }) => all(session.coupleId),

    'POST /api/DateIdeas': ({ body, session, now, create }) =>
      create(async (tx) => {
        const row = await insertIdea(tx, session.coupleId, { ...body, isActive: body.isActive ?? true }, now);
        await announceIdea(tx, 'created', row.id, session);
        return created(ideaView(row), `/api/DateIdeas/${row.id}`, etagOf(row));
      }),

    'GET /api/DateIdeas/active': ({ session }) => active(session.coupleId),

    'GET /api/DateIdeas/categories': async () => CATEGORIES.map((category) => ({ ...category })),

    'GET /api/DateIdeas/category/{category}': async ({ params, session }) => {
      const category = findCategory(params.category);
      if (category === null) throw refuseField('category', 'Please choose one of the eight categories');
      return activeByTitle(session.coupleId, category);
    },

    'GET /api/DateIdeas/{id}': async ({ params, session }) => {
      const row = await found(db.read, session.coupleId, params.id);
      return tagged(await viewOf(db.read, row), etagOf(row));
    },

    'PUT /api/DateIdeas/{id}': {
      find: ({ params, session }) => found(db.read, session.coupleId, params.id),
      handle: async ({ params, body, session, now, ifMatch }) => {
        const { after, view } = await db.write(async (tx) => {
          const before = await lockIdea(tx, session.coupleId, params.id);
          if (!before) throw notFound('Date idea');
          assertMatches(ifMatch, before);
          const fields = { ...body, isActive: body.isActive ?? before.isActive === 1 };
          const after = await replaceIdea(tx, session.coupleId, before, fields, now);
          if (after.version !== before.version) await announceIdea(tx, 'updated', after.id, session);
          return { after, view: await viewOf(tx, after) };
        });
        return tagged(view, etagOf(after));
      },
    },

    'DELETE /api/DateIdeas/{id}': {
      find: ({ params, session }) => found(db.read, session.coupleId, params.id),
      handle: async ({ params, session, now, ifMatch }) => {
        await db.write(async (tx) => {
          const row = await lockIdea(tx, session.coupleId, params.id);
          if (!row) throw notFound('Date idea');
          assertMatches(ifMatch, row);
          await deleteIdea(tx, session.coupleId, row.id, now);
          await announceIdea(tx, 'deleted', row.id, session);
        });
        return null;
      },
    },
  };
}
