import { isId, type UserId } from '../../../base/ids.ts';
import { notFound, Refusal } from '../../../base/refusal.ts';
import { created, tagged } from '../../../base/server/calls/answer.ts';
import { findIdea, lockIdea } from '../../../ideas/server/store.ts';
import { dateVisibleTo } from '../../date-visible-to.ts';
import { type DateRow, insertDate } from '../date-store.ts';
import { type SurpriseRow, saveSurprise } from '../surprise-store.ts';
import { readDate, tagOf, viewOfNew } from '../views.ts';
import { assertPlan } from './assert-times.ts';
import { announceDate } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** The steps of a call that creates a date from an idea: 404 for an unknown idea, and what a retry gets. */
export function creatingFromIdea({ db, photos }: DateDeps) {
  return {
    checkReferences: async ({ request, session }, raw) => {
      const id = ideaIdOf(raw);
      if (id === undefined) return;
      // A retry must get its first reply again, even if the idea has been deleted since.
      const includeDeleted = request.headers['idempotency-key'] !== undefined;
      if (!isId(id) || !(await findIdea(db.read, session.coupleId, id, { includeDeleted })))
        throw notFound('Date idea');
    },
    readAgain: async ({ session, now }, id) => {
      const found = await readDate(db.read, photos, session, { id, now });
      if (!found) return 'deleted';
      return found.isHidden ? 'hidden' : tagged(found.date, found.etag);
    },
  } satisfies Partial<DateRoutes['POST /api/PlannedDates']>;
}

/** Plans a date from an active idea. */
export function planDate(deps: DateDeps): DateRoutes['POST /api/PlannedDates'] {
  return {
    ...creatingFromIdea(deps),
    handle: async ({ body, session, now, create }) => {
      assertPlan(body, now);
      return create(async (tx) => {
        // Lock the idea, so that it isn't deleted or deactivated while a date is planned from it.
        const idea = await lockIdea(tx, session.coupleId, body.dateIdeaId);
        if (!idea) throw notFound('Date idea');
        if (idea.isActive === 0) throw new Refusal(409, 'This date idea is not active and cannot be planned.');
        const row = await insertDate(tx, session, idea.id, body, now);
        const surprise = body.surprise ? newSurprise(row, session.userId) : null;
        if (surprise !== null) await saveSurprise(tx, session.coupleId, row.id, surprise);
        await announceDate(deps, tx, 'created', row.id, session);
        const { title, description, category } = idea;
        const stored = { ...row, ...(surprise ?? NO_SURPRISE), title, description, category };
        const date = dateVisibleTo(session.userId, stored, now);
        return created(await viewOfNew(tx, session, date, now), `/api/PlannedDates/${row.id}`, tagOf(date));
      });
    },
  };
}

/** A date that never was a surprise, as the join of the tables has it. */
export const NO_SURPRISE = { surpriseBy: null, revealedAt: null, shownVersion: null, shownUpdatedAt: null };

function newSurprise({ version, updatedAt }: DateRow, surpriseBy: UserId): SurpriseRow {
  return { surpriseBy, revealedAt: null, shownVersion: version, shownUpdatedAt: updatedAt };
}

function ideaIdOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('dateIdeaId' in raw)) return undefined;
  return typeof raw.dateIdeaId === 'string' ? raw.dateIdeaId : undefined;
}
