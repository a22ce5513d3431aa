import { hashKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { findLastSeen } from '../../base/web/storage/last-seen.ts';
import { dateKeys } from '../../dates/web/queries.ts';
import type { NotesOfDate } from '../contract.ts';
import { noteApi } from './api.ts';

/**
 * The notes belong to their date's queries, which a change of a date invalidates. They depend on the partner too: without
 * one, the user's own note is revealed.
 */
function notesKey(dateId: string, partnerId: string | null) {
  return [...dateKeys.all, 'notes', dateId, partnerId] as const;
}

/** Fetches the two notes of a date, as this user may see them. */
export function useNotes(dateId: string, partnerId: string | null) {
  return useQuery({
    queryKey: notesKey(dateId, partnerId),
    queryFn: ({ signal }) => fetchNotes(dateId, signal),
  });
}

/**
 * Fetches the two notes of a date that was found. The device doesn't keep them: those of many dates would displace what it
 * keeps to be read without a connection. It shows what it has kept of the date's own page.
 */
export function useFoundNotes(owner: string, dateId: string, partnerId: string | null) {
  const kept = findLastSeen(owner, hashKey(notesKey(dateId, partnerId)));
  return useQuery({
    queryKey: ['search', 'notes', dateId, partnerId],
    queryFn: ({ signal }) => fetchNotes(dateId, signal),
    initialData: kept?.data as NotesOfDate | undefined,
    initialDataUpdatedAt: kept?.at,
  });
}

function fetchNotes(id: string, signal: AbortSignal): Promise<NotesOfDate> {
  return noteApi('GET /api/PlannedDates/{id}/notes', { params: { id } }, { signal });
}

/**
 * Returns a function that writes the user's own note. After a refusal the notes are fetched again: the partner has
 * probably opened them.
 */
export function useSealNote(dateId: string, partnerId: string | null) {
  const queryClient = useQueryClient();
  const queryKey = notesKey(dateId, partnerId);
  return async (body: { text: string; hearts: number | null }): Promise<NotesOfDate> => {
    try {
      const notes = await noteApi('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: dateId }, body });
      queryClient.setQueryData(queryKey, notes);
      return notes;
    } catch (error) {
      await queryClient.invalidateQueries({ queryKey });
      throw error;
    }
  };
}

/** Takes the user's own note back. After a failure the notes are fetched again: only the answer may have been lost. */
export function useTakeBack(dateId: string, partnerId: string | null) {
  const queryClient = useQueryClient();
  const queryKey = notesKey(dateId, partnerId);
  return useMutation({
    mutationFn: () => noteApi('DELETE /api/PlannedDates/{id}/notes/mine', { params: { id: dateId } }),
    onSuccess: () =>
      void queryClient.setQueryData<NotesOfDate>(
        queryKey,
        (notes) => notes && { ...notes, mine: null, revealed: false },
      ),
    // Not awaited: what follows a failure must come before what is fetched after it.
    onError: () => void queryClient.invalidateQueries({ queryKey }),
  });
}
