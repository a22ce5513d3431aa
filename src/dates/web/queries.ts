import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { versioned } from '../../base/web/net/check-saved-entity.ts';
import { createOnce } from '../../base/web/net/create-once.ts';
import { untilDeleted } from '../../base/web/net/not-found.ts';
import { useChangeAndRefetch } from '../../base/web/queries/change-and-refetch.ts';
import type { KeptIn } from '../../base/web/storage/outbox.ts';
import { sendOrKeep } from '../../base/web/storage/send-or-keep.ts';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import type { completeBody } from '../complete-form.ts';
import type { PlannedDate } from '../contract.ts';
import type { editDateBody } from '../edit-date-form.ts';
import { msUntilRevealCheck } from '../ms-until-reveal-check.ts';
import type { planBody } from '../plan-form.ts';
import { dateApi } from './api.ts';

export const dateKeys = {
  all: ['dates'] as const,
  list: () => [...dateKeys.all, 'list'] as const,
  completed: () => [...dateKeys.all, 'completed'] as const,
  one: (id: string) => [...dateKeys.all, 'one', id] as const,
};

/** The completed dates, for the gallery's filter. If they cannot be loaded, it only offers 'All' (memories.gallery.4). */
export function useCompletedDates(): readonly PlannedDate[] {
  const { data } = useQuery({
    queryKey: dateKeys.completed(),
    queryFn: ({ signal }) => dateApi('GET /api/PlannedDates/completed', {}, { signal }),
  });
  return data ?? [];
}

/** When dates are fetched again: at the time at which a surprise is revealed, because the server announces nothing then. */
function untilReveal(dates: readonly PlannedDate[]): number | false {
  return msUntilRevealCheck(dates, Date.now()) ?? false;
}

/** Fetches all planned dates. */
export function useDates(isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: dateKeys.list(),
    queryFn: ({ signal }) => dateApi('GET /api/PlannedDates', {}, { signal }),
    refetchInterval: ({ state }) => untilReveal(state.data ?? []),
  });
}

async function fetchDate(id: string, signal?: AbortSignal): Promise<Versioned<PlannedDate>> {
  return versioned(await dateApi.whole('GET /api/PlannedDates/{id}', { params: { id } }, signal ? { signal } : {}));
}

/** Fetches one planned date and its version. Refetches on every mount. */
export function useDate(id: string) {
  return useQuery({
    queryKey: dateKeys.one(id),
    queryFn: ({ signal }) => fetchDate(id, signal),
    enabled: id !== '',
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => untilReveal(state.data ? [state.data.entity] : []),
  });
}

/** Returns a function that fetches the current version of a date, bypassing the cache, after a 412. */
export function useFreshDate(id: string): () => Promise<Versioned<PlannedDate>> {
  const queryClient = useQueryClient();
  return () => queryClient.fetchQuery({ queryKey: dateKeys.one(id), queryFn: () => fetchDate(id), staleTime: 0 });
}

/**
 * Shows a changed date in the loaded list and on its page.
 * @param etag its version; left out while the server has not confirmed the change
 */
export function showDate(queryClient: QueryClient, date: PlannedDate, etag?: string | null): void {
  queryClient.setQueryData<Versioned<PlannedDate>>(dateKeys.one(date.id), (one) =>
    etag === undefined ? one && { ...one, entity: date } : { entity: date, etag },
  );
  queryClient.setQueryData<PlannedDate[]>(dateKeys.list(), (dates) =>
    dates?.map((one) => (one.id === date.id ? date : one)),
  );
}

/** What all changes of one date have in common: its page and the list show the answer. */
export const CHANGED_DATE = {
  entity: 'plannedDate',
  idOf: ({ entity }: Versioned<PlannedDate>) => entity.id,
  show: (queryClient: QueryClient, { entity, etag }: Versioned<PlannedDate>) => showDate(queryClient, entity, etag),
  isCurrent: ([, kind, one]: QueryKey, id: string) => kind === 'one' && one === id,
} as const;

interface Plan {
  readonly body: ReturnType<typeof planBody>;
  readonly key: string;
  /** The outbox entry if it can't be sent now. */
  readonly keep: KeptIn & { readonly title: string; readonly lines: readonly string[] };
  /** The idea was added offline and may still be in the outbox, so the plan waits there too. */
  readonly local: boolean;
}

/**
 * Returns a function that plans a date from an idea. If the browser is offline or the idea is still queued, the plan goes
 * to the outbox and the result is null.
 */
export function usePlanDate() {
  return useChangeAndRefetch({
    entity: 'plannedDate',
    idOf: (date) => date?.id ?? null,
    change: ({ body, key, keep, local }: Plan) =>
      sendOrKeep(
        () => createOnce(() => dateApi('POST /api/PlannedDates', { body }, { idempotencyKey: key })),
        { ...keep, name: 'POST /api/PlannedDates', body, key },
        local,
      ),
  });
}

/** Returns a function that replaces time, place and notes. */
export function useUpdateDate(id: string) {
  return useChangeAndRefetch({
    ...CHANGED_DATE,
    change: ({ body, ifMatch }: { body: ReturnType<typeof editDateBody>; ifMatch: string | null }) =>
      dateApi.whole('PUT /api/PlannedDates/{id}', { params: { id }, body }, { ifMatch }).then(versioned),
  });
}

/** A mutation that says whether to look back on a date, for this user alone. The last press counts. */
export function useLookBack() {
  const lookBack = useChangeAndRefetch({
    ...CHANGED_DATE,
    change: ({ id, shown }: { id: string; shown: boolean }) =>
      dateApi.whole('PUT /api/PlannedDates/{id}/look-back', { params: { id }, body: { shown } }).then(versioned),
  });
  return useMutation({ scope: { id: 'look-back' }, mutationFn: lookBack });
}

/** Returns a function that completes a date in progress. */
export function useCompleteDate(id: string) {
  return useChangeAndRefetch({
    ...CHANGED_DATE,
    change: ({ body, ifMatch }: { body: ReturnType<typeof completeBody>; ifMatch: string | null }) =>
      dateApi.whole('POST /api/PlannedDates/{id}/complete', { params: { id }, body }, { ifMatch }).then(versioned),
  });
}

/** Returns a function that starts or cancels a date. The lists are refetched in any case. */
export function useChangeStatus() {
  return useChangeAndRefetch({
    ...CHANGED_DATE,
    change: ({ id, change }: { id: string; change: 'start' | 'cancel' }) =>
      (change === 'start'
        ? dateApi.whole('POST /api/PlannedDates/{id}/start', { params: { id } })
        : dateApi.whole('POST /api/PlannedDates/{id}/cancel', { params: { id } })
      ).then(versioned),
    refetchesOnError: true,
  });
}

/** Returns a function that moves a date to the trash, and removes it from the list at once. */
export function useDeleteDate() {
  return useChangeAndRefetch({
    entity: 'plannedDate',
    change: (id: string) => untilDeleted(dateApi('DELETE /api/PlannedDates/{id}', { params: { id } })),
    idOf: (_, id) => id,
    show: (queryClient, _, id) =>
      queryClient.setQueryData<PlannedDate[]>(dateKeys.list(), (dates) => dates?.filter((date) => date.id !== id)),
    // Its page and its notes close right after this.
    isCurrent: (queryKey, id) => queryKey[2] === id,
    refetchesOnError: true,
  });
}
