import type { ReactNode } from 'react';
import { CheckField } from '../../kit/web/forms/check-field.tsx';
import { SearchField } from '../../kit/web/forms/search-field.tsx';
import { SelectField } from '../../kit/web/forms/select-field.tsx';
import { FoundCount } from '../../kit/web/layout/found-count.tsx';
import { ListTools } from '../../kit/web/layout/list-tools.tsx';
import { IDEA_SORTS, type IdeaFilter, ideaSummary } from '../list-rules.ts';
import { useCategories } from './queries.ts';

export interface IdeaToolsProps {
  readonly filter: IdeaFilter;
  readonly onChange: (next: Partial<IdeaFilter>) => void;
  /** The number of inactive ideas. The switch is shown if there are any. */
  readonly inactive: number;
  /** The number of ideas shown, or undefined while loading. */
  readonly found: number | undefined;
  /** The filter by hearts, and 'Pick for us'. */
  readonly children: ReactNode;
}

/** The search, category and sort controls, and the number of results. */
export function IdeaTools({ filter, onChange, inactive, found, children }: IdeaToolsProps) {
  const { categories } = useCategories();
  return (
    <ListTools>
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
      {children}
      <FoundCount>{found !== undefined && ideaSummary(found, filter)}</FoundCount>
      {inactive > 0 && (
        <CheckField
          role="switch"
          label={`Show inactive (${inactive})`}
          checked={filter.showInactive}
          onChange={(event) => onChange({ showInactive: event.target.checked })}
        />
      )}
    </ListTools>
  );
}
