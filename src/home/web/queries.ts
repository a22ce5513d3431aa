import { useQuery } from '@tanstack/react-query';
import { DAY, MINUTE } from '../../base/durations.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { homeApi } from './api.ts';
import { DASHBOARD_KEY, fetchDashboard } from './fetch-dashboard.ts';

const homeKeys = {
  all: ['home'] as const,
  yearAgo: (day: string, zone: string) => [...homeKeys.all, 'year-ago', day, zone] as const,
  photosOf: (dateId: string) => [...homeKeys.all, 'photos', dateId] as const,
};

const dashboardQuery = {
  queryKey: DASHBOARD_KEY,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => fetchDashboard(signal),
};

/** The data of the dashboard. It is fetched again when the next date has passed. */
export function useDashboard() {
  return useQuery({
    ...dashboardQuery,
    refetchInterval: ({ state }) => untilPassed(state.data?.next ?? null),
  });
}

/** The dates in progress as the dashboard has them, for another screen. They are fetched while `isNeeded`. */
export function useRunningDates(isNeeded: boolean) {
  return useQuery({
    ...dashboardQuery,
    enabled: isNeeded,
    select: ({ running }) => running,
  });
}

/** Milliseconds until the next date has passed. If the server's clock is behind, it is asked again every minute. */
function untilPassed(next: PlannedDate | null): number | false {
  if (next === null) return false;
  const left = Date.parse(next.plannedDateTime) - Date.now();
  // A second later, so that the server's clock has passed it too.
  return left > 0 ? Math.min(left + 1000, DAY) : MINUTE;
}

/** The past date to show on a day of the device's calendar, or null. */
export function useYearAgo(day: string, timeZone: string) {
  return useQuery({
    queryKey: homeKeys.yearAgo(day, timeZone),
    queryFn: ({ signal }) => homeApi('GET /api/Stats/year-ago', { query: { day, timeZone } }, { signal }),
    staleTime: 5 * MINUTE,
  });
}

/** How many photographs the year ago shows: one large, and a row of others. */
const PHOTOS = '7';

/** The newest photographs of a date. */
export function usePhotosOf(dateId: string) {
  return useQuery({
    queryKey: homeKeys.photosOf(dateId),
    queryFn: ({ signal }) =>
      homeApi(
        'GET /api/Memories/planned-date/{plannedDateId}',
        { params: { plannedDateId: dateId }, query: { count: PHOTOS } },
        { signal },
      ),
  });
}
