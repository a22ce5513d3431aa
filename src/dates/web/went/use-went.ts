import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { compactDuration, minutesBetween } from '../../../base/durations.ts';
import { formatInstant } from '../../../base/instants.ts';
import { clock } from '../../../base/web/device/now.ts';
import type { ApiResponse } from '../../../base/web/net/api-client.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { versioned } from '../../../base/web/net/check-saved-entity.ts';
import { refetchAffected } from '../../../base/web/queries/affected-queries.ts';
import { changeAndRefetch } from '../../../base/web/queries/change-and-refetch.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import type { PlannedDate } from '../../contract.ts';
import { wentTimes } from '../../went-rules.ts';
import { dateApi } from '../api.ts';
import { refusalOf } from '../explain-failure.ts';
import { CHANGED_DATE, dateKeys, showDate } from '../queries.ts';
import type { CompletedWent } from './completed-went.ts';
import { hideWent, showWent } from './shown-went.ts';

/** The date as the server will have it, to show it at once. */
function completedNow(date: PlannedDate, now: number): PlannedDate {
  const planned = {
    status: date.status,
    plannedDateTime: Date.parse(date.plannedDateTime),
    endDateTime: date.endDateTime === null ? null : Date.parse(date.endDateTime),
  };
  const { start, end } = wentTimes(planned, { actualStartTime: null, actualEndTime: null }, now);
  return {
    ...date,
    status: 'Completed',
    actualStartTime: formatInstant(start),
    actualEndTime: formatInstant(end),
    actualDuration: compactDuration(minutesBetween(start, end)),
  };
}

/** Shows a date in every loaded list and on its page, before the server has confirmed it. */
async function showAtOnce(queryClient: QueryClient, date: PlannedDate): Promise<void> {
  // A response that is on its way would show the old state again.
  await queryClient.cancelQueries({ queryKey: dateKeys.all });
  showDate(queryClient, date);
}

/**
 * Returns the action 'We went!': the date is completed on the screen at once, followed by the message with
 * 'Undo' and 'Change the times'. If the server refuses, the date is shown as it was, with an alert.
 */
export function useWent(): (before: PlannedDate) => void {
  const queryClient = useQueryClient();
  const notify = useNotify();

  return (before) => {
    const { id } = before;
    const params = { id };
    const change = (call: () => Promise<ApiResponse<PlannedDate>>) =>
      changeAndRefetch(queryClient, { ...CHANGED_DATE, change: () => call().then(versioned) }, null);
    const saved = change(() => dateApi.whole('POST /api/PlannedDates/{id}/went', { params, body: {} })).catch(
      async (error: unknown) => {
        hideWent(went);
        await showAtOnce(queryClient, before);
        notify.alert(refusalOf(asApiError(error)) ?? 'Failed to complete date. Please try again.');
        void refetchAffected(queryClient, 'plannedDate');
        return null;
      },
    );
    const undo: CompletedWent['undo'] = async () => {
      if ((await saved) === null) return false;
      await showAtOnce(queryClient, before);
      try {
        await change(() => dateApi.whole('POST /api/PlannedDates/{id}/went/undo', { params }));
        return true;
      } catch (error) {
        void refetchAffected(queryClient, 'plannedDate');
        throw error;
      }
    };
    const at = clock();
    const date = completedNow(before, at);
    const takesFocus = document.activeElement?.matches(':focus-visible') === true;
    const went: CompletedWent = { date, at, takesFocus, saved, undo };
    void showAtOnce(queryClient, date);
    showWent(went);
  };
}
