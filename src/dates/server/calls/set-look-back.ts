import { notFound } from '../../../base/refusal.ts';
import { withLookBack } from '../../look-back.ts';
import { lockDate } from '../date-store.ts';
import { answerWithDate } from './answer-with-date.ts';
import { assertDateExists, type DateRequest } from './change-date.ts';
import type { DateDeps } from './date-deps.ts';

/**
 * Says for the asking user alone whether to look back on a date. Neither its version nor its time changes, and the partner
 * hears nothing (dates.lookback.1).
 */
export function setLookBack(deps: DateDeps) {
  return {
    checkEarly: (request: Pick<DateRequest, 'params' | 'session'>) => assertDateExists(deps, request),
    handle: ({ params: { id }, body, session, now }: DateRequest & { readonly body: { readonly shown: boolean } }) =>
      deps.db.write(async (tx) => {
        const { coupleId, userId } = session;
        const before = await lockDate(tx, coupleId, id);
        if (!before) throw notFound('Planned date');
        const notLookedBackBy = withLookBack(userId, before.notLookedBackBy, body.shown);
        if (notLookedBackBy !== before.notLookedBackBy) {
          await tx
            .updateTable('dates')
            .set({ notLookedBackBy })
            .where('coupleId', '=', coupleId)
            .where('id', '=', id)
            .execute();
          const change = { entity: 'plannedDate', id, action: 'updated', by: userId } as const;
          await deps.announce(tx, coupleId, change, userId);
        }
        return answerWithDate(tx, deps, session, { id, now });
      }),
  };
}
