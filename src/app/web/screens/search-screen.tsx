import SearchPage from '../../../search/web/search-page.tsx';
import { MemoryFeaturesForDates } from './memory-features-for-dates.tsx';

/** The search, whose tickets restore deleted dates with their memories. */
export default function SearchScreen() {
  return (
    <MemoryFeaturesForDates>
      <SearchPage />
    </MemoryFeaturesForDates>
  );
}
