import { useSearchValue } from '../../../base/web/navigation/search-params.ts';
import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { paths } from '../../../paths.ts';
import { type MemorySort, SORTS } from '../../sorts.ts';

export type GalleryView = 'grid' | 'list';

/** The gallery's filter, order and view, stored in the address. Order and view are also stored on this device. */
export interface GalleryFilter {
  readonly dateId: string | null;
  readonly setDateId: (dateId: string | null) => void;
  readonly sort: MemorySort;
  readonly setSort: (sort: MemorySort) => void;
  readonly view: GalleryView;
  readonly setView: (view: GalleryView) => void;
  /** The target of 'Upload Memory': for the filtered date, if any. It keeps the `fromComplete` flag of this page. */
  readonly uploadHref: string;
}

export function useGalleryFilter(): GalleryFilter {
  const [date, setDateId] = useSearchValue('dateId');
  const [givenSort, setGivenSort] = useSearchValue('sort');
  const [sort = 'date-desc'] = [givenSort, recall('order')].flatMap(
    (one) => SORTS.find((known) => known === one) ?? [],
  );
  const [given, setGiven] = useSearchValue('view');
  const view = given === 'grid' || given === 'list' ? given : recall('gallery') === 'list' ? 'list' : 'grid';
  const [fromComplete] = useSearchValue('fromComplete');
  const dateId = date === 'all' ? null : date;
  const upload = dateId === null ? paths.upload : paths.uploadTo(dateId);
  return {
    dateId,
    setDateId,
    sort,
    setSort: (next) => {
      remember('order', next === 'date-desc' ? null : next);
      setGivenSort(next);
    },
    view,
    setView: (next) => {
      remember('gallery', next === 'list' ? next : null);
      setGiven(next);
    },
    uploadHref: fromComplete === 'true' ? `${upload}?fromComplete=true` : upload,
  };
}
