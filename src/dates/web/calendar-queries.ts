import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authorized, client, errorOf } from '../../base/web/api.ts';
import type { dateCalls } from '../contract.ts';

const api = client<typeof dateCalls>();

/** Not under the dates' own keys: what changes a date does not touch the link. */
const linkKey = ['calendar-link'] as const;

/** Since when this user has a calendar link. */
export function useCalendarLink() {
  return useQuery({ queryKey: linkKey, queryFn: ({ signal }) => api('GET /api/calendar', {}, { signal }) });
}

/** Makes a link, and tells its address this once; the one before is void. */
export function useMakeCalendarLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /api/calendar'),
    onSuccess: ({ createdAt }) => queries.setQueryData(linkKey, { createdAt }),
  });
}

/** Revokes the link. */
export function useRevokeCalendarLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api('DELETE /api/calendar'),
    onSettled: () => queries.invalidateQueries({ queryKey: linkKey }),
  });
}

/** A date as a calendar's file. @throws ApiError */
export async function fetchCalendarEntry(dateId: string): Promise<Blob> {
  const path = `/api/PlannedDates/${encodeURIComponent(dateId)}/calendar`;
  const response = await authorized((headers) => fetch(path, { headers }));
  if (!response.ok) throw await errorOf(response);
  return response.blob();
}
