import { trashDate } from '../date-trash-store.ts';
import { announceDate } from './announce-date.ts';
import { assertDateExists, lockForCall } from './change-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Moves a date and its memories to the trash. */
export function deleteDate(deps: DateDeps): DateRoutes['DELETE /api/PlannedDates/{id}'] {
  return {
    checkEarly: (dateRequest) => assertDateExists(deps, dateRequest),
    handle: async (dateRequest) => {
      const { coupleId, userId } = dateRequest.session;
      await deps.db.write(async (tx) => {
        const { id } = await lockForCall(tx, 'delete', dateRequest);
        await trashDate(tx, coupleId, id, userId, dateRequest.now);
        await deps.photos.trashWithDate(tx, coupleId, id, dateRequest.now);
        await announceDate(deps, tx, 'deleted', id, dateRequest.session);
      });
      return null;
    },
  };
}
