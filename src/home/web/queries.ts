import { useQuery } from '@tanstack/react-query';
import { DAY, MINUTE } from '../../base/time.ts';
import { client } from '../../base/web/api.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import type { memoryCalls } from '../../memories/contract.ts';
import type { homeCalls } from '../contract.ts';
import { fetchDashboard } from './fetch-dashboard.ts';

const api = client<typeof memoryCalls & typeof homeCalls>();

export const homeKeys = {
  all: ['home'] as const,
  dashboard: () => [...homeKeys.all, 'dashboard'] as const,
  yearAgo: (day: string, zone: string) => [...homeKeys.all, 'year-ago', day, zone] as const,
  photosOf: (dateId: string) => [...homeKeys.all, 'photos', dateId] as const,
};

/** The dashboard's three parts, as one. When the next date has passed, another one is next: it is fetched again then. */
export function useDashboard() {
  return useQuery({
    queryKey: homeKeys.dashboard(),
    queryFn: ({ signal }) => fetchDashboard(signal),
    refetchInterval: ({ state }) => untilPassed(state.data?.next ?? null),
  });
}

/** The clocks of device and server may differ: where the server still sees the date ahead, it is asked each minute. */
function untilPassed(next: PlannedDate | null): number | false {
  if (next === null) return false;
  const left = Date.parse(next.plannedDateTime) - Date.now();
  return left > 0 ? Math.min(left + 1000, DAY) : MINUTE;
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
