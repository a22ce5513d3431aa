import { findLastSeen } from '../../base/web/storage/last-seen.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import type { Memory } from '../../memories/contract.ts';
import type { Stats } from '../../stats/contract.ts';
import { homeApi } from './api.ts';

/** The data of the dashboard. */
export interface Dashboard {
  readonly stats: Stats;
  readonly next: PlannedDate | null;
  /** The dates in progress, with which the dashboard leads. */
  readonly running: readonly PlannedDate[];
  /** The newest six; four of them are shown. */
  readonly memories: readonly Memory[];
}

/** The key of the dashboard's query. */
export const DASHBOARD_KEY = ['home', 'dashboard'] as const;

/** How many memories to request. */
const MEMORIES = '6';
/** A prefetched result older than this is discarded, in milliseconds. */
const PREFETCH_MAX_AGE_MS = 10_000;

/** Makes the calls in parallel. If only those for dates fail, there are none. */
async function loadDashboard(signal: AbortSignal | null): Promise<Dashboard> {
  const options = signal === null ? {} : { signal };
  const [stats, next, running, memories] = await Promise.all([
    homeApi('GET /api/Stats', {}, options),
    homeApi('GET /api/PlannedDates/next', {}, options).catch(() => null),
    homeApi('GET /api/PlannedDates/in-progress', {}, options).catch(() => []),
    homeApi('GET /api/Memories', { query: { count: MEMORIES } }, options),
  ]);
  return { stats, next, running, memories };
}

/** What was requested at startup. Null once the page has asked: from then on, only an answer to its own call is new. */
let prefetched: { readonly at: number; readonly data: Promise<Dashboard> } | null | undefined;

/** Requests the data at startup, in parallel with the code of the page, unless the page has asked already. */
export function prefetchDashboard(): void {
  if (prefetched === null) return;
  const data = loadDashboard(null);
  // The first photograph is the largest element of the page. Errors are handled by `fetchDashboard`'s caller.
  data.then(
    ({ memories: [lead] }) => lead && preloadImage(lead.previewUrl),
    () => undefined,
  );
  prefetched = { at: Date.now(), data };
}

/** Starts loading the first photograph of the dashboard as this user last saw it. */
export function preloadLastSeenLead(userId: string): void {
  // The hash of the query's key.
  const seen = findLastSeen(userId, JSON.stringify(DASHBOARD_KEY));
  const [lead] = (seen?.data as Dashboard | undefined)?.memories ?? [];
  if (lead) preloadImage(lead.previewUrl);
}

function preloadImage(address: string): void {
  const image = new Image();
  image.fetchPriority = 'high';
  image.src = address;
}

/** Fetches the data of the dashboard. The prefetched result is used once. */
export function fetchDashboard(signal: AbortSignal): Promise<Dashboard> {
  const cached = prefetched;
  prefetched = null;
  return cached && Date.now() - cached.at < PREFETCH_MAX_AGE_MS ? cached.data : loadDashboard(signal);
}
