import DatesPage from '../../../dates/web/dates-page.tsx';
import { WithMemoryFeatures } from './with-memory-features.tsx';

/** The list of dates, with the features that need memories. */
export default function DatesScreen() {
  return (
    <WithMemoryFeatures>
      <DatesPage />
    </WithMemoryFeatures>
  );
}
