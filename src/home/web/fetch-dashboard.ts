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

/** Fetches the data of the dashboard in parallel calls. If only those for dates fail, there are none. */
export async function fetchDashboard(signal: AbortSignal): Promise<Dashboard> {
  const [stats, next, running, memories] = await Promise.all([
    homeApi('GET /api/Stats', {}, { signal }),
    homeApi('GET /api/PlannedDates/next', {}, { signal }).catch(() => null),
    homeApi('GET /api/PlannedDates/in-progress', {}, { signal }).catch(() => []),
    homeApi('GET /api/Memories', { query: { count: MEMORIES } }, { signal }),
  ]);
  return { stats, next, running, memories };
}
