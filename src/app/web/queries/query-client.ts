import { QueryClient } from '@tanstack/react-query';
import { recordFetchTimes } from './fetch-times.ts';
import { showLastSeen } from './show-last-seen.ts';

// Failures show at once, without silent retries. Each screen has a 'Try Again' button.
const defaults = { networkMode: 'always', retry: false } as const;

/** The query client of this page. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { ...defaults, gcTime: 60 * 60_000, staleTime: 1000, refetchOnReconnect: true },
    mutations: defaults,
  },
});
recordFetchTimes(queryClient);
showLastSeen(queryClient);
