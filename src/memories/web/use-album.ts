import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import {
  emptyAlbum,
  FIRST_COUNT,
  type MonthCount,
  type PagedAlbum,
  type PageRequest,
  requestsFor,
  withPage,
} from '../paged-album.ts';
import { memoryApi } from './api.ts';
import { fetchMemories, type MemoryList, type MemoryPage, memoryKeys } from './queries.ts';

/** The sheets that a component shows. They are fetched again after a change. */
interface VisibleSheets {
  readonly list: string;
  readonly keys: readonly string[];
}
const visibleSheets = new Set<VisibleSheets>();
const nameOf = ({ dateId, sort }: MemoryList) => `${dateId} ${sort}`;

/** How long scrolling must pause before sheets are fetched, in milliseconds. */
const REST_MS = 60;

/**
 * The memories of a list: first the counts of its months and a first page, then sheets as they become visible.
 * After a change all of that is fetched again and shown in one step, so that nothing disappears in between.
 */
export function useAlbum(list: MemoryList) {
  return useQuery({
    queryKey: memoryKeys.list(list),
    queryFn: ({ signal }) => fetchAlbum(list, signal),
    structuralSharing: false,
  });
}

async function fetchAlbum(list: MemoryList, signal: AbortSignal): Promise<PagedAlbum> {
  const [months, first] = await Promise.all([
    fetchMonths(list, signal),
    fetchMemories(list, { cursor: null, skip: 0, count: FIRST_COUNT }, signal),
  ]);
  let album = emptyAlbum(months ?? [{ month: null, count: first.total, cursor: null }], list.sort);
  // If a memory was added between the two responses, the page does not match the months.
  if (album.total === first.total) album = withPage(album, 0, first);
  const keys = [...visibleSheets].flatMap((look) => (look.list === nameOf(list) ? look.keys : []));
  const requests = requestsFor(album, new Set(keys));
  const pages = await Promise.all(requests.map((wanted) => fetchMemories(list, wanted, signal)));
  requests.forEach((wanted, n) => {
    album = withPage(album, placeOf(wanted), pages[n] as MemoryPage);
  });
  return album;
}

const placeOf = ({ sheets }: PageRequest) => sheets[0]?.from ?? 0;

/** The counts of the months in the device's zone; null for the order without months. */
async function fetchMonths({ dateId, sort }: MemoryList, signal: AbortSignal): Promise<readonly MonthCount[] | null> {
  if (sort === 'size') return null;
  const query = { sort, zone: deviceZone(), ...(dateId === null ? {} : { plannedDateId: dateId }) };
  try {
    return await memoryApi('GET /api/Memories/months', { query }, { signal });
  } catch (error) {
    if (dateId !== null && isNotFound(error)) return [];
    throw error;
  }
}

/** The keys of loading sheets, by the months of their album, so that requests of an older album do not count. */
const loadingSheets = new WeakMap<PagedAlbum['months'], Set<string>>();

/**
 * Loads sheets: the visible ones first, then those near them.
 * @returns whether loading failed, and a function to retry
 */
export function useLoadSheets(
  list: MemoryList,
  album: PagedAlbum | undefined,
  seen: readonly string[],
  near: readonly string[] = [],
): { readonly hasFailed: boolean; readonly retry: () => void } {
  const queryClient = useQueryClient();
  const [hasFailed, setFailed] = useState(false);
  const name = nameOf(list);
  const keys = seen.join(' ');
  const nearKeys = near.join(' ');
  useLayoutEffect(() => {
    const look = { list: name, keys: keys.split(' ') };
    visibleSheets.add(look);
    return () => void visibleSheets.delete(look);
  }, [name, keys]);
  const load = useEffectEvent((from: PagedAlbum, seenKeys: string, keysNear: string) => {
    const requests = requestsFor(from, new Set(seenKeys.split(' ')));
    const wanted = requests.length > 0 ? requests : requestsFor(from, new Set(keysNear.split(' ')));
    for (const request of wanted) void fetchSheets(queryClient, list, from, request).catch(() => setFailed(true));
  });
  useEffect(() => {
    if (hasFailed || !album) return undefined;
    const timer = setTimeout(() => load(album, keys, nearKeys), REST_MS);
    return () => clearTimeout(timer);
  }, [keys, nearKeys, album, hasFailed]);
  return { hasFailed, retry: () => setFailed(false) };
}

async function fetchSheets(
  queryClient: QueryClient,
  list: MemoryList,
  album: PagedAlbum,
  wanted: PageRequest,
): Promise<void> {
  const loading = loadingSheets.get(album.months) ?? new Set();
  loadingSheets.set(album.months, loading);
  const keys = wanted.sheets.map(({ key }) => key);
  if (keys.every((key) => loading.has(key))) return;
  for (const key of keys) loading.add(key);
  try {
    const page = await fetchMemories(list, wanted);
    queryClient.setQueryData<PagedAlbum>(memoryKeys.list(list), (now) =>
      now?.months === album.months ? withPage(now, placeOf(wanted), page) : now,
    );
  } finally {
    for (const key of keys) loading.delete(key);
  }
}
