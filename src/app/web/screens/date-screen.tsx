import DatePage from '../../../dates/web/date-page.tsx';
import { WithMemoryFeatures } from './with-memory-features.tsx';

/** A date, with what the memories add to it. */
export default function DateScreen() {
  return (
    <WithMemoryFeatures>
      <DatePage />
    </WithMemoryFeatures>
  );
}
