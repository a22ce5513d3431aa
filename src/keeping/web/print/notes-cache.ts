import type { QueryClient } from '@tanstack/react-query';
import type { User } from '../../../auth/contract.ts';
import type { NotesOfDate } from '../../../notes/contract.ts';

/** How long the notes of a date are known without a change of a date, in milliseconds. */
const MAX_AGE_MS = 60_000;

/** The notes that the album has fetched, by the ids of their dates. */
export type NotesCache = Map<string, NotesOfDate>;

/**
 * Returns the notes that need not be fetched again, to which what is fetched is added. After a change of a date they are
 * only the opened ones, which never change. A change while they are fetched counts at the next call.
 */
export function notesCache(queryClient: QueryClient, { id, partner }: User): NotesCache {
  const queryKey = ['printedNotes', id, partner?.id];
  const state = queryClient.getQueryState<NotesCache>(queryKey);
  if (state?.data && !state.isInvalidated && Date.now() - state.dataUpdatedAt < MAX_AGE_MS) return state.data;
  const opened = [...(state?.data ?? [])].filter(([, { mine, theirs }]) => mine !== null && theirs !== null);
  return queryClient.setQueryData<NotesCache>(queryKey, new Map(opened)) ?? new Map();
}
