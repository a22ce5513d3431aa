import DatePage from '../../../dates/web/date-page.tsx';
import { WithMemoryFeatures } from './with-memory-features.tsx';

/** The page of a date, with its memories. */
export default function DateScreen() {
  return (
    <WithMemoryFeatures>
      <DatePage />
    </WithMemoryFeatures>
  );
}
