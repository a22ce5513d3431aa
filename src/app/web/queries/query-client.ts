import { QueryClient, type QueryPersister } from '@tanstack/react-query';
import { isFromSsr } from '../../../base/web/ssr.ts';
import { lastSeenPersister } from './last-seen-persister.ts';

const STALE_MS = 1000;
/** Data from the server-rendered page stays fresh longer, because scripts take seconds to load on a slow connection. */
const SSR_STALE_MS = 30_000;

/** Creates a query client. With a persister, its data is saved for offline use. */
export function createQueryClient(persister?: QueryPersister): QueryClient {
  // Failures show at once, without silent retries. Each screen has a 'Try Again' button (spec 8).
  const defaults = { networkMode: 'always', retry: false } as const;
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...defaults,
        ...(persister ? { persister } : {}),
        gcTime: 60 * 60_000,
        staleTime: (query) => (isFromSsr(query) ? SSR_STALE_MS : STALE_MS),
        refetchOnReconnect: true,
      },
      mutations: defaults,
    },
  });
}

/** The query client of this page. */
export const queries = createQueryClient(lastSeenPersister);
