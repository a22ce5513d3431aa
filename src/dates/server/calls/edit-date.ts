import { Refusal } from '../../../base/refusal.ts';
import { NOT_THE_PLANNER } from '../../surprises.ts';
import { assertPlan } from './assert-times.ts';
import { changeDate } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Edits a planned date. Only its planner can make it a surprise, or reveal it. */
export function editDate(deps: DateDeps): DateRoutes['PUT /api/PlannedDates/{id}'] {
  return changeDate(deps, ({ body, session, now }) => {
    const { surprise, ...changes } = body;
    assertPlan(body, now);
    return {
      action: 'edit',
      to: () => changes,
      surprise,
      permit: ({ plannedBy }) => {
        if (surprise !== undefined && plannedBy !== session.userId) throw new Refusal(403, NOT_THE_PLANNER);
      },
    };
  });
}
