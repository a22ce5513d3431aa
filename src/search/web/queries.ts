import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { asApiError } from '../../base/web/net/api-error.ts';
import { allLastSeen } from '../../base/web/storage/last-seen.ts';
import type { SearchResult } from '../contract.ts';
import { searchLastSeen } from '../search-last-seen.ts';
import { searchApi } from './api.ts';

/** After this, in milliseconds, the search looks in what was last seen: a server that vanished never answers. */
const PATIENCE_MS = 5_000;

/** What was found, and whether only in what this device last saw. */
export type FoundHere = SearchResult & { readonly isLastSeen: boolean };

/**
 * Searches as the user types: each answer belongs to its words, so the last one wins. Until it comes, the page shows what
 * was found before.
 * @param query cleaned; null asks for nothing
 */
export function useFound(owner: string, query: string | null, limit: number) {
  return useQuery({
    queryKey: ['search', query, limit],
    queryFn: ({ signal }) => search(owner, query ?? '', { limit, signal }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    // Also if what was last seen was found a moment ago.
    refetchOnReconnect: 'always',
  });
}

async function search(
  owner: string,
  q: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<FoundHere> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const found = await searchApi('GET /api/Search', { query: { q, limit: String(limit) } }, { signal: within });
    return { ...found, isLastSeen: false };
  } catch (error) {
    if (signal.aborted || asApiError(error).status > 0) throw error;
    return { ...searchLastSeen(allLastSeen(owner), q, limit), isLastSeen: true };
  }
}
