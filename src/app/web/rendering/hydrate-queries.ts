import { type DehydratedState, hydrate } from '@tanstack/react-query';
import type { SsrData } from '../../../base/ssr.ts';
import { setSsrReceivedAt } from '../../../base/web/ssr.ts';
import { queries } from '../queries/query-client.ts';
import { delay } from './timing.ts';

/** The delay before the data is saved for offline use, so that saving does not slow hydration. */
const SAVE_AFTER_MS = 2000;

/** Fills the query cache with the data of the server-rendered page. */
export function hydrateQueries(ssr: SsrData): void {
  const { queries: dehydrated } = ssr.queries as DehydratedState;
  // Uses the clock of this device, which may differ from the server's.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const dataUpdatedAt = Math.floor(Date.now() - performance.now() + (navigation?.responseStart ?? 0));
  setSsrReceivedAt(dataUpdatedAt);
  hydrate(queries, { queries: dehydrated.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })) });
  // The code cannot load if the connection has just been lost.
  saveForOffline().catch(() => undefined);
}

async function saveForOffline(): Promise<void> {
  await delay(SAVE_AFTER_MS);
  const { saveQuery } = await import('../queries/last-seen-queries.ts');
  for (const query of queries.getQueryCache().getAll()) {
    if (query.state.data !== undefined) void saveQuery(query, query.state.data);
  }
}
