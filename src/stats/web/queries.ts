import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../base/call.ts';
import { DAY, MINUTE } from '../../base/durations.ts';
import type { statsCalls } from '../contract.ts';
import { endOfMonth } from '../periods.ts';
import { statsApi } from './api.ts';

/** Query keys of the statistics. */
export const statsKeys = {
  all: ['stats'] as const,
  screen: () => [...statsKeys.all, 'screen'] as const,
  years: () => [...statsKeys.all, 'years'] as const,
  year: (year: string) => [...statsKeys.years(), year] as const,
};

/** The data of the statistics screen. */
export interface StatsScreen {
  readonly stats: Reply<(typeof statsCalls)['GET /api/Stats']>;
  readonly time: Reply<(typeof statsCalls)['GET /api/Stats/time-together']>;
  readonly categories: Reply<(typeof statsCalls)['GET /api/Stats/categories']>;
  readonly favorite: Reply<(typeof statsCalls)['GET /api/Stats/favorite-category']>;
  readonly milestones: Reply<(typeof statsCalls)['GET /api/Stats/achievements']>;
  readonly records: Reply<(typeof statsCalls)['GET /api/Stats/records']>;
  /** The actual start of the first date; null without one. */
  readonly began: string | null;
}

async function fetchStats(signal: AbortSignal): Promise<StatsScreen> {
  const [stats, time, categories, favorite, milestones, records] = await Promise.all([
    statsApi('GET /api/Stats', {}, { signal }),
    statsApi('GET /api/Stats/time-together', {}, { signal }),
    statsApi('GET /api/Stats/categories', {}, { signal }),
    statsApi('GET /api/Stats/favorite-category', {}, { signal }),
    statsApi('GET /api/Stats/achievements', {}, { signal }),
    statsApi('GET /api/Stats/records', {}, { signal }),
  ]);
  return { stats, time, categories, favorite, milestones, records, began: await readFirstDateStart(records, signal) };
}

/** Reads the actual start of the first date. The record has only its planned time. */
async function readFirstDateStart({ firstDate }: StatsScreen['records'], signal: AbortSignal): Promise<string | null> {
  if (firstDate === null) return null;
  try {
    const { body } = await statsApi.whole(
      'GET /api/PlannedDates/{id}',
      { params: { id: firstDate.plannedDateId } },
      { signal },
    );
    return body.actualStartTime ?? body.plannedDateTime;
  } catch (error) {
    if (signal.aborted) throw error;
    // For example, the date was just deleted.
    return firstDate.plannedDateTime;
  }
}

/**
 * The data of the statistics screen in one query, so that the figures agree. It is fetched again at the end of its last
 * month in the couple's zone, when the periods change. Without a date, they are empty.
 */
export function useStats(zone: string) {
  return useQuery({
    queryKey: statsKeys.screen(),
    queryFn: ({ signal }) => fetchStats(signal),
    refetchInterval: ({ state }) => {
      const last = state.data?.time.byMonth.at(-1);
      if (!last) return false;
      const left = endOfMonth(last.month, zone) - Date.now();
      // As on the dashboard: a server whose clock is behind is asked again every minute.
      return left > 0 ? Math.min(left + 1000, DAY) : MINUTE;
    },
  });
}

/** The years with a completed date, latest first. */
export function useYears(enabled = true) {
  return useQuery({
    queryKey: statsKeys.years(),
    queryFn: ({ signal }) => statsApi('GET /api/Stats/years', {}, { signal }),
    enabled,
  });
}

/** The story of a year. */
export function useYear(year: string) {
  return useQuery({
    queryKey: statsKeys.year(year),
    queryFn: ({ signal }) => statsApi('GET /api/Stats/years/{year}', { params: { year } }, { signal }),
  });
}
