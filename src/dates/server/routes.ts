import type { Deps } from '../../base/server/deps.ts';
import { STATUSES } from '../rules.ts';
import { calendarRoutes } from './calendar-routes.ts';
import { addPastDate } from './calls/add-past-date.ts';
import { answerWithDate } from './calls/answer-with-date.ts';
import { changeDate } from './calls/change-date.ts';
import { completeByWent, undoCompleteByWent } from './calls/complete-by-went.ts';
import { completeDate } from './calls/complete-date.ts';
import { correctDate } from './calls/correct-date.ts';
import type { DateDeps, DateRoutes, TakeBackCelebrations } from './calls/date-deps.ts';
import { dateLists } from './calls/date-lists.ts';
import { deleteDate } from './calls/delete-date.ts';
import { editDate } from './calls/edit-date.ts';
import { planDate } from './calls/plan-date.ts';
import { setLookBack } from './calls/set-look-back.ts';
import type { MemoriesOfDates } from './memories-of-dates.ts';
import { readNextDate } from './views.ts';

/** The routes for planned dates. */
export function dateRoutes(
  deps: Deps,
  photos: MemoriesOfDates,
  takeBackCelebrations: TakeBackCelebrations,
): DateRoutes {
  const { db } = deps;
  const dateDeps: DateDeps = { ...deps, photos, takeBackCelebrations };
  return {
    ...calendarRoutes(deps),
    ...dateLists(dateDeps),
    'POST /api/PlannedDates': planDate(dateDeps),
    'POST /api/PlannedDates/past': addPastDate(dateDeps),
    'GET /api/PlannedDates/next': ({ session, now }) => readNextDate(db.read, photos, session, now),
    'GET /api/PlannedDates/statuses': async () => STATUSES.map((status) => ({ ...status })),
    'GET /api/PlannedDates/{id}': ({ params: { id }, session, now }) =>
      answerWithDate(db.read, dateDeps, session, { id, now }),
    'PUT /api/PlannedDates/{id}': editDate(dateDeps),
    'PUT /api/PlannedDates/{id}/record': correctDate(dateDeps),
    'PUT /api/PlannedDates/{id}/look-back': setLookBack(dateDeps),
    'DELETE /api/PlannedDates/{id}': deleteDate(dateDeps),
    'POST /api/PlannedDates/{id}/start': changeDate(dateDeps, ({ now }) => ({
      action: 'start',
      to: () => ({ status: 'InProgress', actualStartTime: now }),
    })),
    'POST /api/PlannedDates/{id}/complete': completeDate(dateDeps),
    'POST /api/PlannedDates/{id}/went': completeByWent(dateDeps),
    'POST /api/PlannedDates/{id}/went/undo': undoCompleteByWent(dateDeps),
    'POST /api/PlannedDates/{id}/cancel': changeDate(dateDeps, () => ({
      action: 'cancel',
      to: () => ({ status: 'Cancelled' }),
    })),
  };
}
