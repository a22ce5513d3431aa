import DatesPage from '../../../dates/web/dates-page.tsx';
import { WithMemoryFeatures } from './with-memory-features.tsx';

/** Our dates, with what the memories add to them. */
export default function DatesScreen() {
  return (
    <WithMemoryFeatures>
      <DatesPage />
    </WithMemoryFeatures>
  );
}
