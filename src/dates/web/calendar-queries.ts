import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authorized } from '../../base/web/net/access-token.ts';
import { readApiError } from '../../base/web/net/api-error.ts';
import { dateApi } from './api.ts';

/** Separate from the dates' keys, because a change of a date doesn't affect the link. */
const linkKey = ['calendar-link'] as const;

/** When this user's calendar link was created. */
export function useCalendarLink() {
  return useQuery({ queryKey: linkKey, queryFn: ({ signal }) => dateApi('GET /api/calendar', {}, { signal }) });
}

/** Creates a link, which replaces the previous one. Its address is returned only once. */
export function useMakeCalendarLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => dateApi('POST /api/calendar'),
    onSuccess: ({ createdAt }) => queryClient.setQueryData(linkKey, { createdAt }),
  });
}

/** Revokes the link. */
export function useRevokeCalendarLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => dateApi('DELETE /api/calendar'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: linkKey }),
  });
}

/** Fetches a date as a calendar file. @throws ApiError */
export async function fetchCalendarEntry(dateId: string): Promise<Blob> {
  const path = `/api/PlannedDates/${encodeURIComponent(dateId)}/calendar`;
  const response = await authorized((headers) => fetch(path, { headers }));
  if (!response.ok) throw await readApiError(response);
  return response.blob();
}
