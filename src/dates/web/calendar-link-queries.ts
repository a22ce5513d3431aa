import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dateApi } from './api.ts';

/** Separate from the dates' keys, because a change of a date doesn't affect the link. */
const linkKey = ['calendar-link'] as const;

/** When this user's calendar link was created; null without one. */
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
