import type { CoupleId, UserId } from '../../base/ids.ts';
import { notFound, refuseField } from '../../base/refusal.ts';
import { created, etagOf, tagged } from '../../base/server/calls/answer.ts';
import { assertMatches } from '../../base/server/calls/if-match.ts';
import type { Routes } from '../../base/server/calls/serve.ts';
import { cachePerPartnerUntilCommit } from '../../base/server/db/commit-cache.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer, Visibility } from '../../base/server/visibility.ts';
import { formatInstant } from '../../base/time.ts';
import type { DateIdea, ideaCalls } from '../contract.ts';
import { compareLastPlanned, type Hearts, heartsVisibleTo, mutualIdeas, NO_HEARTS, pickableIdeas } from '../hearts.ts';
import type { CategoryValue } from '../rules.ts';
import { CATEGORIES, compareTitles, findCategory } from '../rules.ts';
import { deleteHeart, deleteHeartsOf, insertHeart, readHearts } from './heart-store.ts';
import type { IdeaRow } from './store.ts';
import { activeIdeas, allIdeas, deleteIdea, findIdea, insertIdea, lockIdea, replaceIdea } from './store.ts';

/** The port through which ideas read their plan counts. The dates slice implements it. */
export interface PlanCounts {
  /** Reads which dates are hidden from a partner now: none of them counts. */
  readVisibility(reader: Reader, viewer: Viewer, now: number): Promise<Visibility>;
  /**
   * Counts the plans that a partner may know of by idea, without cancelled and deleted ones; of all ideas if null. Ideas
   * never planned may be missing.
   */
  countByIdea(
    reader: Reader,
    viewer: Viewer,
    now: number,
    ideaIds: readonly string[] | null,
  ): Promise<ReadonlyMap<string, PlanCount>>;
  /** Returns the ids of the ideas with a date that is planned or in progress, as far as a partner may know. */
  busyIdeas(reader: Reader, viewer: Viewer, now: number): Promise<ReadonlySet<string>>;
}

export interface PlanCount {
  readonly count: number;
  /** The latest planned time, in milliseconds. */
  readonly last: number | null;
}

/** The count of an idea that was never planned. */
export const NEVER_PLANNED: PlanCount = { count: 0, last: null };

function ideaView(row: IdeaRow, { count, last }: PlanCount, hearts: Hearts): DateIdea {
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

/** The routes for date ideas. */
export function ideaRoutes({ db, announce, randomInt }: Deps, plans: PlanCounts): Routes<typeof ideaCalls> {
  /** The queries run one after the other, because `reader` may be a transaction. */
  const viewOf = async (reader: Reader, row: IdeaRow, viewer: Viewer, now: number) => {
    const counts = await plans.countByIdea(reader, viewer, now, [row.id]);
    const hearts = await readHearts(reader, row.coupleId, [row.id]);
    return ideaView(row, counts.get(row.id) ?? NEVER_PLANNED, heartsVisibleTo(viewer.userId, hearts.get(row.id) ?? []));
  };

  const listOf = (viewer: Viewer, now: number, rows: Promise<IdeaRow[]>) =>
    ideaViews(db.read, plans, viewer, { rows, now, ideaIds: null });

  const activeByTitle = async (viewer: Viewer, now: number, category: CategoryValue | null) =>
    (await listOf(viewer, now, activeIdeas(db.read, viewer.coupleId, category))).sort(compareTitles);

  /** Time reveals a surprise without a commit, so the lists are cached for the dates that are hidden now. */
  const hiddenNow = async (viewer: Viewer, now: number) =>
    (await plans.readVisibility(db.read, viewer, now)).hiddenDates.join();
  const all = cachePerPartnerUntilCommit(
    db,
    (viewer, now) => listOf(viewer, now, allIdeas(db.read, viewer.coupleId)),
    hiddenNow,
  );
  const active = cachePerPartnerUntilCommit(db, (viewer, now) => activeByTitle(viewer, now, null), hiddenNow);

  const found = async (reader: Reader, coupleId: CoupleId, id: string) => {
    const row = await findIdea(reader, coupleId, id);
    if (!row) throw notFound('Date idea');
    return row;
  };

  const announceIdea = (
    tx: Writer,
    action: 'created' | 'updated' | 'deleted',
    id: string,
    { coupleId, userId }: Viewer,
    only?: UserId,
  ) => announce(tx, coupleId, { entity: 'dateIdea', id, action, by: userId }, only);

  /**
   * Puts or takes back the user's heart. The idea's version stays, since `If-Match` and the partner must not notice; the
   * partner gets an event only if the idea becomes mutual, or no longer is (secrets.hearts.3).
   */
  const setHeart = async (id: string, session: Viewer, now: number, isOn: boolean) => {
    const { coupleId, userId } = session;
    const { row, view } = await db.write(async (tx) => {
      // Of two partners at once, the second sees the first one's heart.
      const row = await lockIdea(tx, coupleId, id);
      if (!row) throw notFound('Date idea');
      const before = heartsVisibleTo(userId, (await readHearts(tx, coupleId, [id])).get(id) ?? []);
      if (isOn) await insertHeart(tx, coupleId, id, userId, now);
      else await deleteHeart(tx, coupleId, id, userId);
      const view = await viewOf(tx, row, session, now);
      const isTold = before.mutual !== view.hearts.mutual;
      if (before.mine !== isOn) await announceIdea(tx, 'updated', id, session, isTold ? undefined : userId);
      return { row, view };
    });
    return tagged(view, etagOf(row));
  };

  return {
    'GET /api/DateIdeas': ({ session, now }) => all(session, now),

    'POST /api/DateIdeas': {
      readAgain: async ({ session, now }, id) => {
        const row = await findIdea(db.read, session.coupleId, id);
        return row ? tagged(await viewOf(db.read, row, session, now), etagOf(row)) : 'deleted';
      },
      handle: ({ body, session, now, create }) =>
        create(async (tx) => {
          const row = await insertIdea(tx, session.coupleId, { ...body, isActive: body.isActive ?? true }, now);
          await announceIdea(tx, 'created', row.id, session);
          return created(ideaView(row, NEVER_PLANNED, NO_HEARTS), `/api/DateIdeas/${row.id}`, etagOf(row));
        }),
    },

    'GET /api/DateIdeas/active': ({ session, now }) => active(session, now),

    'GET /api/DateIdeas/categories': async () => CATEGORIES.map((category) => ({ ...category })),

    'GET /api/DateIdeas/category/{category}': async ({ params, session, now }) => {
      const category = findCategory(params.category);
      if (category === null) throw refuseField('category', 'Please choose one of the eight categories');
      return activeByTitle(session, now, category);
    },

    'GET /api/DateIdeas/mutual': async ({ session, now }) =>
      mutualIdeas(await activeByTitle(session, now, null)).sort(
        (a, b) => compareLastPlanned(a, b) || compareTitles(a, b),
      ),

    'GET /api/DateIdeas/pick': async ({ session, now }) => {
      const [ideas, busy] = await Promise.all([
        activeByTitle(session, now, null),
        plans.busyIdeas(db.read, session, now),
      ]);
      const pickable = pickableIdeas(ideas, busy);
      return pickable.length === 0 ? null : (pickable[randomInt(pickable.length)] ?? null);
    },

    'GET /api/DateIdeas/{id}': async ({ params, session, now }) => {
      const row = await found(db.read, session.coupleId, params.id);
      return tagged(await viewOf(db.read, row, session, now), etagOf(row));
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
          return { after, view: await viewOf(tx, after, session, now) };
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
          await deleteHeartsOf(tx, session.coupleId, row.id);
          await announceIdea(tx, 'deleted', row.id, session);
        });
        return null;
      },
    },

    'PUT /api/DateIdeas/{id}/heart': {
      find: ({ params, session }) => found(db.read, session.coupleId, params.id),
      handle: ({ params, session, now }) => setHeart(params.id, session, now, true),
    },

    'DELETE /api/DateIdeas/{id}/heart': {
      find: ({ params, session }) => found(db.read, session.coupleId, params.id),
      handle: ({ params, session, now }) => setHeart(params.id, session, now, false),
    },
  };
}
