import { LayoutGrid, List } from 'lucide-react';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Badge } from '../../../kit/web/feedback/badge.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { ToggleGroup } from '../../../kit/web/forms/toggle-group.tsx';
import { FoundCount } from '../../../kit/web/layout/found-count.tsx';
import { ListTools } from '../../../kit/web/layout/list-tools.tsx';
import { dateLabel, dateName, foundText } from '../../gallery-texts.ts';
import type { MemorySort } from '../../sorts.ts';
import type { GalleryFilter } from './use-gallery-filter.ts';

const SORT_NAMES: Readonly<Record<MemorySort, string>> = {
  'date-desc': 'Newest first',
  'date-asc': 'Oldest first',
  'story-desc': 'Our Story, Latest First',
  'story-asc': 'Our Story, from the Beginning',
  size: 'File size',
};

const VIEWS = [
  { value: 'grid', label: 'Grid', icon: <LayoutGrid /> },
  { value: 'list', label: 'List', icon: <List /> },
] as const;

export interface GalleryToolsProps {
  readonly filter: GalleryFilter;
  /** The completed dates, and the selected one. */
  readonly dates: readonly PlannedDate[];
  /** The number of memories; undefined while they load. */
  readonly total: number | undefined;
}

/** The filter by date, the order, grid or list, and the number of results (memories.gallery.4). */
export function GalleryTools({ filter, dates, total }: GalleryToolsProps) {
  const { dateId, sort } = filter;
  const zone = deviceZone();
  const name = dateId === null ? null : dateName(dates, dateId, zone);
  return (
    <ListTools>
      <SelectField
        label="Date"
        value={dateId ?? 'all'}
        onChange={({ target }) => filter.setDateId(target.value === 'all' ? null : target.value)}
      >
        <option value="all">All</option>
        {dates.map((date) => (
          <option key={date.id} value={date.id}>
            {dateLabel(date, zone)}
          </option>
        ))}
        {dateId !== null && !dates.some(({ id }) => id === dateId) && <option value={dateId}>{name}</option>}
      </SelectField>
      <SelectField label="Sort" value={sort} onChange={({ target }) => filter.setSort(target.value as MemorySort)}>
        {Object.entries(SORT_NAMES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <ToggleGroup label="View" options={VIEWS} value={filter.view} onChange={filter.setView} />
      <FoundCount>
        {total !== undefined && (
          <>
            <span>{foundText(total, name)}</span>
            {dateId !== null && <Badge>Filtered</Badge>}
          </>
        )}
      </FoundCount>
    </ListTools>
  );
}
