import { QueryClient } from '@tanstack/react-query';
import { recordFetchTimes } from './fetch-times.ts';
import { showLastSeen } from './show-last-seen.ts';

/** The query client of this page. Its queries begin with what the device last saw. */
export const queryClient = createQueryClient();

function createQueryClient(): QueryClient {
  const defaults = {
    // Requests go out even if the browser says that it is offline: a server at home needs no internet.
    networkMode: 'always',
    // Failures show at once. Each screen has a 'Try Again' button.
    retry: false,
  } as const;
  const queries = {
    ...defaults,
    // A screen that was left less than an hour ago shows what it had, while it fetches.
    gcTime: 60 * 60_000,
    // What was fetched within the last second is not fetched again for the next component that shows it.
    staleTime: 1000,
    // Off by default where `networkMode` is 'always'.
    refetchOnReconnect: true,
  };
  const client = new QueryClient({ defaultOptions: { queries, mutations: defaults } });
  recordFetchTimes(client);
  showLastSeen(client);
  return client;
}
