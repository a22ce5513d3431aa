import type { Viewer } from '../../../base/server/visibility.ts';
import { readAllDates, viewsOf } from '../views.ts';
import { datesAhead, datesOfStatus } from '../visible-dates.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Effectively no limit. */
const NO_LIMIT = 2_147_483_647;

/** The lists of dates. */
export function dateLists({ db, photos }: DateDeps) {
  const ofStatus = (viewer: Viewer, status: 'Completed' | 'InProgress', now: number) =>
    viewsOf(db.read, photos, viewer, { readRows: () => datesOfStatus(db.read, viewer, status, now), now });

  return {
    'GET /api/PlannedDates': ({ session, now }) => readAllDates(db.read, photos, session, now),
    'GET /api/PlannedDates/upcoming': ({ session, now }) =>
      viewsOf(db.read, photos, session, {
        readRows: () => datesAhead(db.read, session, { now, limit: NO_LIMIT }),
        now,
      }),
    'GET /api/PlannedDates/completed': ({ session, now }) => ofStatus(session, 'Completed', now),
    'GET /api/PlannedDates/in-progress': ({ session, now }) => ofStatus(session, 'InProgress', now),
  } satisfies Partial<DateRoutes>;
}
