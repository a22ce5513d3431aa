import { plannedAfterCorrection } from '../../past-rules.ts';
import { assertPast } from './assert-times.ts';
import { changeDate } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Corrects what a completed date says happened (dates.record.1). */
export function correctDate(deps: DateDeps): DateRoutes['PUT /api/PlannedDates/{id}/record'] {
  return changeDate(deps, ({ body, now }) => {
    assertPast(body, now);
    return {
      action: 'correct',
      to: (before) => ({
        ...body,
        ...plannedAfterCorrection(before, body.actualStartTime),
      }),
    };
  });
}
