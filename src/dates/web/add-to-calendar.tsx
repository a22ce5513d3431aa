import { useMutation } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { downloadFile } from '../../base/web/device/download.ts';
import { authorized } from '../../base/web/net/access-token.ts';
import { readApiError } from '../../base/web/net/api-error.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';

/** A button that downloads a date as a calendar file, for this device's calendar app (dates.calendar.4). */
export function AddToCalendar({ dateId }: { dateId: string }) {
  const notify = useNotify();
  const add = useMutation({
    mutationFn: () => fetchCalendarEntry(dateId),
    // A phone offers to open it with a calendar app.
    onSuccess: (file) => downloadFile(file, 'our-date.ics'),
    onError: () => notify.alert('Failed to create the calendar entry. Please try again.'),
  });
  return (
    <div>
      <Button variant="text" flush icon={<CalendarPlus />} busy={add.isPending} onClick={() => add.mutate()}>
        Add to calendar
      </Button>
    </div>
  );
}

/** Fetches a date as a calendar file. @throws ApiError */
async function fetchCalendarEntry(dateId: string): Promise<Blob> {
  const path = `/api/PlannedDates/${encodeURIComponent(dateId)}/calendar`;
  const response = await authorized((headers) => fetch(path, { headers }));
  if (!response.ok) throw await readApiError(response);
  return response.blob();
}
