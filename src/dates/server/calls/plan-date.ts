import type { UserId } from '../../../base/ids.ts';
import { notFound, Refusal } from '../../../base/refusal.ts';
import { lockIdea } from '../../../ideas/server/store.ts';
import { type DateRow, insertDate } from '../date-store.ts';
import { type SurpriseRow, saveSurprise } from '../surprise-store.ts';
import { assertPlan } from './assert-times.ts';
import { creatingFromIdea, replyWithNew } from './create-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

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
        return replyWithNew(deps, tx, session, { row, surprise, idea, now });
      });
    },
  };
}

function newSurprise({ version, updatedAt }: DateRow, surpriseBy: UserId): SurpriseRow {
  return { surpriseBy, revealedAt: null, shownVersion: version, shownUpdatedAt: updatedAt };
}
