import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../base/call.ts';
import { client } from '../../base/web/api.ts';
import type { dateCalls } from '../../dates/contract.ts';
import type { statsCalls } from '../contract.ts';
import { untilMidnight } from '../periods.ts';

const api = client<typeof statsCalls & typeof dateCalls>();

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
  /** When the first date really began; null without one. */
  readonly began: string | null;
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
  return { stats, time, categories, favorite, milestones, records, began: await readFirstDateStart(records, signal) };
}

/** The record tells when the first date was planned for; when it really began, the date itself tells. */
async function readFirstDateStart({ firstDate }: StatsScreen['records'], signal: AbortSignal): Promise<string | null> {
  if (firstDate === null) return null;
  try {
    const { body } = await api.whole(
      'GET /api/PlannedDates/{id}',
      { params: { id: firstDate.plannedDateId } },
      { signal },
    );
    return body.actualStartTime ?? body.plannedDateTime;
  } catch (error) {
    if (signal.aborted) throw error;
    // Deleted a moment ago, for example.
    return firstDate.plannedDateTime;
  }
}

/**
 * The statistics, as one: a screen of figures that do not agree would be worse than none. With each day of the couple's
 * calendar the periods may change, so they are fetched again after its midnight.
 */
export function useStats(zone: string) {
  return useQuery({
    queryKey: statsKeys.screen(),
    queryFn: ({ signal }) => fetchStats(signal),
    refetchInterval: () => untilMidnight(Date.now(), zone) + 1000,
  });
}
