import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, client } from '../../base/web/api.ts';
import type { dateCalls, PlannedDate } from '../../dates/contract.ts';
import { dateKeys } from '../../dates/web/queries.ts';
import { type Album, type Page, withoutMemory } from '../album.ts';
import type { memoryCalls } from '../contract.ts';
import { nextCursor } from '../gallery.ts';
import type { MemorySort } from '../rules.ts';

const api = client<typeof memoryCalls>();
const datesApi = client<typeof dateCalls>();

/** Which memories, and in what order. */
export interface MemoryList {
  readonly dateId: string | null;
  readonly sort: MemorySort;
}

/** Some memories of a list, where the next ones begin, and how many there are in all. */
export interface MemoryPage extends Page {
  readonly total: number;
}

export const memoryKeys = {
  all: ['memories'] as const,
  lists: () => [...memoryKeys.all, 'album'] as const,
  list: ({ dateId, sort }: MemoryList) => [...memoryKeys.lists(), dateId, sort] as const,
  firstOf: (dateId: string) => [...memoryKeys.all, 'first', dateId] as const,
};

export const trashKeys = { all: ['trash'] as const };

/** As many as the details of a date show (spec 9). */
export const FIRST_OF_DATE = 6;

/**
 * A page of memories (contract 3). A date that is not there has none: a link to it, or one deleted meanwhile, shows an
 * empty gallery (spec 7, a failure gives an empty list).
 */
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
    const { body, headers } = await api.whole('GET /api/Memories', { query }, signal ? { signal } : {});
    const total = Number(headers.get('x-total-count') ?? body.length);
    return { memories: body, total, next: nextCursor(headers.get('link')) };
  } catch (error) {
    if (dateId !== null && error instanceof ApiError && error.status === 404)
      return { memories: [], total: 0, next: null };
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

/**
 * The completed dates: what the gallery can be filtered by. Where they cannot be loaded the filter offers 'All' alone;
 * the browser writes the failure to its console, and nothing else tells of it (spec 8, Gallery).
 */
export function useCompletedDates(): readonly PlannedDate[] {
  const { data } = useQuery({
    queryKey: [...dateKeys.all, 'completed'],
    queryFn: ({ signal }) => datesApi('GET /api/PlannedDates/completed', {}, { signal }),
  });
  return data ?? [];
}

/** Puts a memory into the trash, and takes it out of every list that is loaded at once. */
export function useDeleteMemory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/Memories/{id}', { params: { id } }),
    onSuccess: (_, id) => {
      queries.setQueriesData<Album>({ queryKey: memoryKeys.lists() }, (album) => album && withoutMemory(album, id));
      invalidateMemories(queries);
    },
  });
}

/** A photograph more or less: the lists of memories, the counts on dates, the statistics and the dashboard are old. */
function invalidateMemories(queries: ReturnType<typeof useQueryClient>): void {
  for (const queryKey of [memoryKeys.all, trashKeys.all, dateKeys.all, ['stats'], ['home']]) {
    void queries.invalidateQueries({ queryKey });
  }
}

/** What lies in 'Recently deleted', latest first. */
export function useTrash() {
  return useQuery({ queryKey: trashKeys.all, queryFn: ({ signal }) => api('GET /api/Trash', {}, { signal }) });
}

/** Puts a memory or a planned date back where it was. */
export function useRestore() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('POST /api/Trash/{id}/restore', { params: { id } }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['ideas'] });
      invalidateMemories(queries);
    },
  });
}

/** Deletes at once and for good. */
export function useErase() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/Trash/{id}', { params: { id } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: trashKeys.all }),
  });
}
