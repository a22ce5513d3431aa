import DatesPage from '../../dates/web/dates-page.tsx';
import { WithDateSlots } from './date-slots.tsx';

/** Our dates, with what the memories add to them. */
export default function DatesScreen() {
  return (
    <WithDateSlots>
      <DatesPage />
    </WithDateSlots>
  );
}
