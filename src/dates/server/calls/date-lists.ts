import { cachePerPartnerUntilCommit } from '../../../base/server/db/commit-cache.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import { readSealed } from '../surprise-store.ts';
import { readAllDates, viewsOf } from '../views.ts';
import { datesAhead, datesOfStatus } from '../visible-dates.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Effectively no limit. */
const NO_LIMIT = 2_147_483_647;

/** The lists of dates. */
export function dateLists({ db, photos }: DateDeps) {
  const ofStatus = (viewer: Viewer, status: 'Completed' | 'InProgress', now: number) =>
    viewsOf(db.read, photos, viewer, { readRows: () => datesOfStatus(db.read, viewer, status, now), now });

  /** Time reveals a surprise without a commit, so the lists are cached for the surprises that are sealed now. */
  const sealedNow = async ({ coupleId }: Viewer, now: number) => (await readSealed(db.read, coupleId, now)).join();
  const all = cachePerPartnerUntilCommit(db, (viewer, now) => readAllDates(db.read, photos, viewer, now), sealedNow);
  const completed = cachePerPartnerUntilCommit(db, (viewer, now) => ofStatus(viewer, 'Completed', now), sealedNow);

  return {
    'GET /api/PlannedDates': ({ session, now }) => all(session, now),
    'GET /api/PlannedDates/upcoming': ({ session, now }) =>
      viewsOf(db.read, photos, session, {
        readRows: () => datesAhead(db.read, session, { now, limit: NO_LIMIT }),
        now,
      }),
    'GET /api/PlannedDates/completed': ({ session, now }) => completed(session, now),
    'GET /api/PlannedDates/in-progress': ({ session, now }) => ofStatus(session, 'InProgress', now),
  } satisfies Partial<DateRoutes>;
}
