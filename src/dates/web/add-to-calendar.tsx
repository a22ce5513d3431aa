import { useMutation } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { fetchCalendarEntry } from './calendar-queries.ts';

/** Hands a date to the calendar of this device, as a file that it opens (issue 5, Calendar). */
export function AddToCalendar({ dateId }: { dateId: string }) {
  const notify = useNotify();
  const add = useMutation({
    mutationFn: () => fetchCalendarEntry(dateId),
    onSuccess: handOver,
    onError: () => notify.alert('Failed to make the calendar entry. Please try again.'),
  });
  return (
    <div>
      <Button variant="text" flush icon={<CalendarPlus />} busy={add.isPending} onClick={() => add.mutate()}>
        Add to calendar
      </Button>
    </div>
  );
}

/** The browser downloads it; a phone asks which calendar it is for. */
function handOver(file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = 'our-date.ics';
  link.click();
  // Some browsers read it only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
