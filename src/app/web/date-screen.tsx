import DatePage from '../../dates/web/date-page.tsx';
import { WithDateSlots } from './date-slots.tsx';

/** A date, with what the memories add to it. */
export default function DateScreen() {
  return (
    <WithDateSlots>
      <DatePage />
    </WithDateSlots>
  );
}
