import { setSearchParams, useSearchParam, useSearchText } from '../../base/web/navigation/search-params.ts';
import { CATEGORIES } from '../categories.ts';
import { IDEA_SORTS, type IdeaFilter } from '../list-rules.ts';

const CATEGORY_VALUES = ['', ...CATEGORIES.map(({ value }) => value)] as const;

const SORT_VALUES = IDEA_SORTS.map(({ value }) => value);

/** The list's filter, stored in the URL. 'Clear Filters' removes search, category and hearts. */
export function useIdeaFilter() {
  const [search, setSearch] = useSearchText('search');
  const [category] = useSearchParam('category', CATEGORY_VALUES, '');
  const [sort] = useSearchParam('sort', SORT_VALUES, 'title');
  const [inactive] = useSearchParam('inactive', ['true', ''], '');
  const [both] = useSearchParam('both', ['true', ''], '');
  const filter: IdeaFilter = { search, category, sort, showInactive: inactive === 'true', both: both === 'true' };
  const change = (next: Partial<IdeaFilter>) => {
    if (next.search !== undefined) setSearch(next.search);
    if (next.category !== undefined) setSearchParams({ category: next.category || null });
    if (next.sort !== undefined) setSearchParams({ sort: next.sort === 'title' ? null : next.sort });
    if (next.showInactive !== undefined) setSearchParams({ inactive: next.showInactive ? 'true' : null });
    if (next.both !== undefined) setSearchParams({ both: next.both ? 'true' : null });
  };
  const clear = () => {
    setSearch('');
    setSearchParams({ search: null, category: null, both: null });
  };
  return { filter, change, clear };
}
