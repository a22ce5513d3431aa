import { setSearchParams, useSearchParam, useSearchText } from '../../base/web/search-params.ts';
import { SwitchField } from '../../kit/web/forms/check-field.tsx';
import { SearchField } from '../../kit/web/forms/search-field.tsx';
import { SelectField } from '../../kit/web/forms/select-field.tsx';
import { Found, Tools } from '../../kit/web/layout/tools.tsx';
import { IDEA_SORTS, type IdeaFilter, ideaSummary } from '../list-rules.ts';
import { CATEGORIES } from '../rules.ts';
import { useCategories } from './queries.ts';

const CATEGORY_VALUES = ['', ...CATEGORIES.map(({ value }) => value)] as const;
const SORT_VALUES = IDEA_SORTS.map(({ value }) => value);

/** What the list shows, as it stands in the URL; 'Clear Filters' takes search and category out of it. */
export function useIdeaFilter() {
  const [search, setSearch] = useSearchText('search');
  const [category] = useSearchParam('category', CATEGORY_VALUES, '');
  const [sort] = useSearchParam('sort', SORT_VALUES, 'title');
  const [inactive] = useSearchParam('inactive', ['true', ''], '');
  const filter: IdeaFilter = { search, category, sort, showInactive: inactive === 'true' };
  const change = (next: Partial<IdeaFilter>) => {
    if (next.search !== undefined) setSearch(next.search);
    if (next.category !== undefined) setSearchParams({ category: next.category || null });
    if (next.sort !== undefined) setSearchParams({ sort: next.sort === 'title' ? null : next.sort });
    if (next.showInactive !== undefined) setSearchParams({ inactive: next.showInactive ? 'true' : null });
  };
  const clear = () => {
    setSearch('');
    setSearchParams({ search: null, category: null });
  };
  return { filter, change, clear };
}

export interface IdeaToolsProps {
  readonly filter: IdeaFilter;
  readonly onChange: (next: Partial<IdeaFilter>) => void;
  /** How many ideas are inactive; the switch is there when some are (contract 5). */
  readonly inactive: number;
  /** How many are shown; undefined while that is unknown. */
  readonly found: number | undefined;
}

/** Search, category, sort, and what they found. */
export function IdeaTools({ filter, onChange, inactive, found }: IdeaToolsProps) {
  const { categories } = useCategories();
  return (
    <Tools>
      <SearchField
        placeholder="Search date ideas..."
        value={filter.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      <SelectField
        label="Category"
        value={filter.category}
        onChange={(event) => onChange({ category: event.target.value })}
      >
        <option value="">All Categories</option>
        {categories.map(({ value, displayName }) => (
          <option key={value} value={value}>
            {displayName}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Sort"
        value={filter.sort}
        onChange={(event) => onChange({ sort: event.target.value as IdeaFilter['sort'] })}
      >
        {IDEA_SORTS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Found>{found !== undefined && ideaSummary(found, filter)}</Found>
      {inactive > 0 && (
        <SwitchField
          label={`Show inactive (${inactive})`}
          checked={filter.showInactive}
          onChange={(event) => onChange({ showInactive: event.target.checked })}
        />
      )}
    </Tools>
  );
}
