import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isNotFound, untilDeleted } from '../../base/web/net/not-found.ts';
import { useChangeAndRefetch } from '../../base/web/queries/change-and-refetch.ts';
import { nextCursor } from '../next-cursor.ts';
import { type AlbumPage, type PagedAlbum, withoutMemory } from '../paged-album.ts';
import type { MemorySort } from '../sorts.ts';
import { memoryApi } from './api.ts';

/** A list of memories: its filter and its order. */
export interface MemoryList {
  readonly dateId: string | null;
  readonly sort: MemorySort;
}

/** A page of a list, with the total number of memories. */
export interface MemoryPage extends AlbumPage {
  readonly total: number;
}

export const memoryKeys = {
  all: ['memories'] as const,
  lists: () => [...memoryKeys.all, 'album'] as const,
  list: ({ dateId, sort }: MemoryList) => [...memoryKeys.lists(), dateId, sort] as const,
  one: (id: string) => [...memoryKeys.all, 'one', id] as const,
  firstOf: (dateId: string) => [...memoryKeys.all, 'first', dateId] as const,
};

export const trashKeys = { all: ['trash'] as const };

/** How many memories a date's details show. */
export const FIRST_OF_DATE = 6;

/** Fetches a page of memories. An unknown date has none and shows an empty gallery. */
export async function fetchMemories(
  { dateId, sort }: MemoryList,
  { cursor, skip, count }: { cursor: string | null; skip: number; count: number },
  signal?: AbortSignal,
): Promise<MemoryPage> {
  const query = {
    count: String(count),
    sort,
    ...(dateId === null ? {} : { plannedDateId: dateId }),
    ...(cursor === null ? {} : { cursor }),
    ...(skip === 0 ? {} : { skip: String(skip) }),
  };
  try {
    const { body, headers } = await memoryApi.whole('GET /api/Memories', { query }, signal ? { signal } : {});
    const total = Number(headers.get('x-total-count') ?? body.length);
    return { memories: body, total, next: nextCursor(headers.get('link')) };
  } catch (error) {
    if (dateId !== null && isNotFound(error)) return { memories: [], total: 0, next: null };
    throw error;
  }
}

/** The newest six memories of a date, and how many it has. */
export function useFirstMemories(dateId: string) {
  return useQuery({
    queryKey: memoryKeys.firstOf(dateId),
    queryFn: ({ signal }) =>
      fetchMemories({ dateId, sort: 'date-desc' }, { cursor: null, skip: 0, count: FIRST_OF_DATE }, signal),
  });
}

/** Returns a function that moves a memory to the trash, and removes it from every loaded list at once. */
export function useDeleteMemory() {
  return useChangeAndRefetch({
    entity: 'memory',
    change: (id: string) => untilDeleted(memoryApi('DELETE /api/Memories/{id}', { params: { id } })),
    idOf: (_, id) => id,
    show: (queryClient, _, id) =>
      queryClient.setQueriesData<PagedAlbum>(
        { queryKey: memoryKeys.lists() },
        (album) => album && withoutMemory(album, id),
      ),
  });
}

/** The entries of 'Recently deleted', latest first. */
export function useTrash() {
  return useQuery({ queryKey: trashKeys.all, queryFn: ({ signal }) => memoryApi('GET /api/Trash', {}, { signal }) });
}

/** Returns a function that restores a memory or a planned date, which affects all that a memory does. */
export function useRestore() {
  return useChangeAndRefetch({
    entity: 'plannedDate',
    change: (id: string) => memoryApi('POST /api/Trash/{id}/restore', { params: { id } }),
    idOf: (_, id) => id,
    refetchesOnError: true,
  });
}

/** Returns a function that deletes an entry permanently. */
export function useErase() {
  const queryClient = useQueryClient();
  return async (id: string): Promise<void> => {
    await memoryApi('DELETE /api/Trash/{id}', { params: { id } }).finally(
      () => void queryClient.invalidateQueries({ queryKey: trashKeys.all }),
    );
  };
}
