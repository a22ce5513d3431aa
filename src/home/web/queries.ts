import { useQuery } from '@tanstack/react-query';
import { client } from '../../base/web/api.ts';
import type { dateCalls, PlannedDate } from '../../dates/contract.ts';
import type { Memory, memoryCalls } from '../../memories/contract.ts';
import type { Stats, statsCalls } from '../../stats/contract.ts';
import type { homeCalls } from '../contract.ts';

const api = client<typeof statsCalls & typeof dateCalls & typeof memoryCalls & typeof homeCalls>();

export const homeKeys = {
  all: ['home'] as const,
  dashboard: () => [...homeKeys.all, 'dashboard'] as const,
  yearAgo: (day: string, zone: string) => [...homeKeys.all, 'year-ago', day, zone] as const,
  photosOf: (dateId: string) => [...homeKeys.all, 'photos', dateId] as const,
};

/** What the dashboard shows. */
export interface Dashboard {
  readonly stats: Stats;
  readonly next: PlannedDate | null;
  /** The newest six; four of them are shown (spec 9). */
  readonly memories: readonly Memory[];
}

/** How many memories are asked for (spec 9). */
const MEMORIES = '6';

/** Three calls in parallel; a failure of the next date's alone counts as none (spec 7, Dashboard load). */
async function fetchDashboard(signal: AbortSignal): Promise<Dashboard> {
  const [stats, next, memories] = await Promise.all([
    api('GET /api/Stats', {}, { signal }),
    api('GET /api/PlannedDates/next', {}, { signal }).catch(() => null),
    api('GET /api/Memories', { query: { count: MEMORIES } }, { signal }),
  ]);
  return { stats, next, memories };
}

/** The dashboard's three parts, as one. */
export function useDashboard() {
  return useQuery({ queryKey: homeKeys.dashboard(), queryFn: ({ signal }) => fetchDashboard(signal) });
}

/** What is recalled on a day of the device's calendar, or null; asked for once the dashboard itself stands. */
export function useYearAgo(day: string, timeZone: string) {
  return useQuery({
    queryKey: homeKeys.yearAgo(day, timeZone),
    queryFn: ({ signal }) => api('GET /api/Stats/year-ago', { query: { day, timeZone } }, { signal }),
    staleTime: 5 * 60_000,
  });
}

/** A date's photographs, newest first: as many as one look takes in. */
export function usePhotosOf(dateId: string) {
  return useQuery({
    queryKey: homeKeys.photosOf(dateId),
    queryFn: ({ signal }) =>
      api('GET /api/Memories/planned-date/{plannedDateId}', { params: { plannedDateId: dateId } }, { signal }),
  });
}
