import SearchPage from '../../../search/web/search-page.tsx';
import { WithMemoryFeatures } from './with-memory-features.tsx';

/** The search, whose tickets restore deleted dates with their memories. */
export default function SearchScreen() {
  return (
    <WithMemoryFeatures>
      <SearchPage />
    </WithMemoryFeatures>
  );
}
