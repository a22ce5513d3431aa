import DatesPage from '../../../dates/web/dates-page.tsx';
import { MemoryFeaturesForDates } from './memory-features-for-dates.tsx';

/** The list of dates, with the features that need memories. */
export default function DatesScreen() {
  return (
    <MemoryFeaturesForDates>
      <DatesPage />
    </MemoryFeaturesForDates>
  );
}
