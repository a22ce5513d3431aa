import { Refusal } from '../../../base/refusal.ts';
import { tooEarlyError, undoRefusal, wentErrors, wentTimes } from '../../went-rules.ts';
import { throwIfInvalid } from './assert-times.ts';
import { changeDate } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** 'We went!': completes a planned date afterwards, and keeps what its undo needs. */
export function completeByWent(deps: DateDeps): DateRoutes['POST /api/PlannedDates/{id}/went'] {
  return changeDate(deps, ({ body, session, now }) => ({
    action: 'went',
    to: (before) => {
      const { start, end } = wentTimes(before, body, now);
      return {
        status: 'Completed',
        actualStartTime: start,
        actualEndTime: end,
        notes: body.notes ? body.notes.text : before.notes,
        wentBy: session.userId,
        wentVersion: before.version + 1,
        notesBeforeWent: before.notes,
        updatedAtBeforeWent: before.updatedAt,
      };
    },
    validate: (before) => {
      const tooEarly = tooEarlyError(before, now);
      if (tooEarly !== undefined) throw new Refusal(400, tooEarly);
      throwIfInvalid(Object.entries(wentErrors(before, body, now)));
    },
  }));
}

/** Undoes 'We went!', and takes back the celebrations that it caused. */
export function undoCompleteByWent(deps: DateDeps): DateRoutes['POST /api/PlannedDates/{id}/went/undo'] {
  return changeDate(deps, ({ session, now }) => ({
    action: 'undoWent',
    to: (went) => ({
      status: 'Planned',
      actualStartTime: null,
      actualEndTime: null,
      notes: went.notesBeforeWent,
      updatedAt: went.updatedAtBeforeWent ?? now,
    }),
    forbid: (went) => undoRefusal(went, session.userId, now),
    afterwards: (tx, went) => deps.takeBackCelebrations(tx, session.coupleId, went.updatedAt),
  }));
}
