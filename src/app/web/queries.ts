import { QueryClient, type QueryPersister } from '@tanstack/react-query';
import { orLastSeen } from './seen-queries.ts';

/** A store of what the screens ask for; with `persister`, what it gets is kept for when nobody can be asked. */
export function makeQueries(persister?: QueryPersister): QueryClient {
  // Failures are shown at once, never tried again in silence: each screen has its 'Try Again' (spec 8).
  const always = { networkMode: 'always', retry: false } as const;
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...always,
        ...(persister ? { persister } : {}),
        gcTime: 60 * 60_000,
        staleTime: 1000,
        refetchOnReconnect: true,
      },
      mutations: always,
    },
  });
}

/** The store of this page. */
export const queries = makeQueries(orLastSeen);
