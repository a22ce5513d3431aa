import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, client } from '../../base/web/api.ts';
import type { dateCalls, PlannedDate } from '../../dates/contract.ts';
import { dateKeys } from '../../dates/web/queries.ts';
import type { Memory, memoryCalls } from '../contract.ts';
import { nextCursor } from '../gallery.ts';
import type { MemorySort } from '../rules.ts';

const api = client<typeof memoryCalls>();
const datesApi = client<typeof dateCalls>();

/** Which memories, and in what order. */
export interface MemoryList {
  readonly dateId: string | null;
  readonly sort: MemorySort;
}

/** Some memories of a list, how many there are in all, and where the next ones begin. */
export interface MemoryPage {
  readonly memories: readonly Memory[];
  readonly total: number;
  readonly next: string | null;
}

export const memoryKeys = {
  all: ['memories'] as const,
  lists: () => [...memoryKeys.all, 'list'] as const,
  list: ({ dateId, sort }: MemoryList) => [...memoryKeys.lists(), dateId, sort] as const,
  firstOf: (dateId: string) => [...memoryKeys.all, 'first', dateId] as const,
};

export const trashKeys = { all: ['trash'] as const };

/** The first answer is small, so that the screen stands soon; those after it spare journeys. */
const FIRST_COUNT = 30;
const COUNT = 90;
/** As many as the details of a date show (spec 9). */
export const FIRST_OF_DATE = 6;

/**
 * The memories of a list, page by page (contract 3). A date that is not there has none: a link to it, or one deleted
 * meanwhile, shows an empty gallery (spec 7, a failure gives an empty list).
 */
export function useMemories(list: MemoryList, enabled = true) {
  return useInfiniteQuery({
    queryKey: memoryKeys.list(list),
    queryFn: ({ pageParam, signal }) =>
      fetchMemories(list, pageParam, pageParam === null ? FIRST_COUNT : COUNT, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: MemoryPage) => next,
    enabled,
  });
}

async function fetchMemories(
  { dateId, sort }: MemoryList,
  cursor: string | null,
  count: number,
  signal: AbortSignal,
): Promise<MemoryPage> {
  const query = {
    count: String(count),
    sort,
    ...(dateId === null ? {} : { plannedDateId: dateId }),
    ...(cursor === null ? {} : { cursor }),
  };
  try {
    const { body, headers } = await api.whole('GET /api/Memories', { query }, { signal });
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
    queryFn: ({ signal }) => fetchMemories({ dateId, sort: 'date-desc' }, null, FIRST_OF_DATE, signal),
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
      queries.setQueriesData<InfiniteData<MemoryPage>>({ queryKey: memoryKeys.lists() }, (data) =>
        withoutMemory(data, id),
      );
      invalidateMemories(queries);
    },
  });
}

function withoutMemory(data: InfiniteData<MemoryPage> | undefined, id: string): InfiniteData<MemoryPage> | undefined {
  if (!data?.pages.some(({ memories }) => memories.some((memory) => memory.id === id))) return data;
  const pages = data.pages.map((page) => {
    const memories = page.memories.filter((memory) => memory.id !== id);
    return {
      ...page,
      memories: memories.length === page.memories.length ? page.memories : memories,
      total: page.total - 1,
    };
  });
  return { ...data, pages };
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
