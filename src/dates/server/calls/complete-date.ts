import { endTimeError, startTimeError } from '../../complete-form.ts';
import type { DateRow } from '../date-store.ts';
import { throwIfInvalid } from './assert-times.ts';
import { changeDate } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Completes a date in progress with its end, and if it is given its start and its notes. */
export function completeDate(deps: DateDeps): DateRoutes['POST /api/PlannedDates/{id}/complete'] {
  return changeDate(deps, ({ body, now }) => {
    const startOf = (before: DateRow) => body.actualStartTime ?? before.actualStartTime;
    return {
      action: 'complete',
      to: (before) => ({
        status: 'Completed',
        actualStartTime: startOf(before),
        actualEndTime: body.actualEndTime,
        notes: body.notes ? body.notes.text : before.notes,
      }),
      validate: (before) => {
        const start = startOf(before);
        throwIfInvalid([
          ['actualStartTime', startTimeError(start)],
          ['actualEndTime', endTimeError(start, body.actualEndTime, now)],
        ]);
      },
    };
  });
}
