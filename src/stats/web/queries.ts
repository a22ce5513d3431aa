import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../base/call.ts';
import { client } from '../../base/web/api.ts';
import type { statsCalls } from '../contract.ts';

const api = client<typeof statsCalls>();

export const statsKeys = {
  all: ['stats'] as const,
  screen: () => [...statsKeys.all, 'screen'] as const,
};

/** All that the statistics screen shows. */
export interface StatsScreen {
  readonly stats: Reply<(typeof statsCalls)['GET /api/Stats']>;
  readonly time: Reply<(typeof statsCalls)['GET /api/Stats/time-together']>;
  readonly categories: Reply<(typeof statsCalls)['GET /api/Stats/categories']>;
  readonly favorite: Reply<(typeof statsCalls)['GET /api/Stats/favorite-category']>;
  readonly milestones: Reply<(typeof statsCalls)['GET /api/Stats/achievements']>;
  readonly records: Reply<(typeof statsCalls)['GET /api/Stats/records']>;
}

async function fetchStats(signal: AbortSignal): Promise<StatsScreen> {
  const [stats, time, categories, favorite, milestones, records] = await Promise.all([
    api('GET /api/Stats', {}, { signal }),
    api('GET /api/Stats/time-together', {}, { signal }),
    api('GET /api/Stats/categories', {}, { signal }),
    api('GET /api/Stats/favorite-category', {}, { signal }),
    api('GET /api/Stats/achievements', {}, { signal }),
    api('GET /api/Stats/records', {}, { signal }),
  ]);
  return { stats, time, categories, favorite, milestones, records };
}

/** The statistics, as one: a screen of figures that do not agree would be worse than none. */
export function useStats() {
  return useQuery({ queryKey: statsKeys.screen(), queryFn: ({ signal }) => fetchStats(signal) });
}
