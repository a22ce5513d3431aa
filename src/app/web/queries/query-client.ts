import { QueryClient, type QueryPersister } from '@tanstack/react-query';
import { isFromSsr } from '../../../base/web/ssr.ts';
import { orLastSeen } from './last-seen-persister.ts';

const STALE_MS = 1000;
/** Data that came with the page stays fresh for longer: on a slow connection the scripts take seconds to arrive. */
const SSR_STALE_MS = 30_000;

/** Creates a query cache. With a persister, its data is saved for offline use. */
export function makeQueries(persister?: QueryPersister): QueryClient {
  // Failures show at once, without silent retries: each screen has its 'Try Again' (spec 8).
  const always = { networkMode: 'always', retry: false } as const;
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...always,
        ...(persister ? { persister } : {}),
        gcTime: 60 * 60_000,
        staleTime: (query) => (isFromSsr(query) ? SSR_STALE_MS : STALE_MS),
        refetchOnReconnect: true,
      },
      mutations: always,
    },
  });
}

/** The query cache of this page. */
export const queries = makeQueries(orLastSeen);
