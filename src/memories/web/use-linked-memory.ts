import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { dayOf } from '../../base/instants.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useSearchValue } from '../../base/web/navigation/search-params.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { searchMemory } from '../paged-album.ts';
import { timeFieldOf } from '../sorts.ts';
import { memoryApi } from './api.ts';
import { type MemoryList, memoryKeys } from './queries.ts';
import type { Slide } from './slideshow/use-slides.ts';
import { type useAlbum, useLoadSheets } from './use-album.ts';

const GONE = 'This memory is no longer in our album.';
const FAILED = 'Failed to load memories. Please try again.';

type AlbumQuery = Pick<ReturnType<typeof useAlbum>, 'data' | 'isFetching'>;

/**
 * Opens the memory in the address (`/memories?memory={id}`), wherever it is in the list, or reports that it is gone.
 * @returns a function that removes it from the address
 */
export function useLinkedMemory(
  list: MemoryList,
  { data: album, isFetching }: AlbumQuery,
  open: (slide: Slide) => void,
) {
  const [id, setId] = useSearchValue('memory');
  const opened = useRef<string | null>(null);
  const notify = useNotify();
  const { data: memory, error } = useQuery({
    queryKey: [...memoryKeys.all, 'linked', id],
    queryFn: ({ signal }) => memoryApi('GET /api/Memories/{id}', { params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
  });
  const found =
    album &&
    memory &&
    searchMemory(
      album,
      memory,
      monthOf(memory[list.sort === 'size' ? 'uploadedAt' : timeFieldOf(list.sort)]),
      list.sort,
    );
  const { hasFailed } = useLoadSheets(list, album, found && 'load' in found ? [found.load.key] : []);
  const place = found && 'place' in found ? found.place : null;
  const show = useEffectEvent(() => {
    if (id === null || place === null) return;
    opened.current = id;
    open({ id, place });
  });
  const giveUp = useEffectEvent(() => {
    // If it is deleted while the slideshow shows it, the slideshow stays open.
    if (opened.current === id) return;
    setId(null);
    notify.alert(isNotFound(error) || found === null ? GONE : FAILED);
  });
  const thereId = place === null ? null : id;
  useEffect(() => {
    if (thereId !== null) show();
  }, [thereId]);
  // A cached list may not have it yet.
  const isLost = id !== null && !isFetching && thereId === null && (found === null || hasFailed || error !== null);
  useEffect(() => {
    if (isLost) giveUp();
  }, [isLost]);
  return () => setId(null);
}

function monthOf(at: string): string {
  return dayOf(Date.parse(at), deviceZone()).slice(0, 7);
}
