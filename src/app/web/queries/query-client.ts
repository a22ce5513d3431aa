import { QueryClient } from '@tanstack/react-query';
import { recordFetchTimes } from './fetch-times.ts';
import { showLastSeen } from './show-last-seen.ts';

/** The query client of this page. Its queries begin with what the device last saw. */
export const queryClient = createQueryClient();

function createQueryClient(): QueryClient {
  // Failures show at once, without silent retries. Each screen has a 'Try Again' button.
  const defaults = { networkMode: 'always', retry: false } as const;
  const client = new QueryClient({
    defaultOptions: {
      queries: { ...defaults, gcTime: 60 * 60_000, staleTime: 1000, refetchOnReconnect: true },
      mutations: defaults,
    },
  });
  recordFetchTimes(client);
  showLastSeen(client);
  return client;
}
