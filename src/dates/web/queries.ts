import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answered, client } from '../../base/web/api.ts';
import { createOnce } from '../../base/web/create-once.ts';
import type { KeptIn } from '../../base/web/outbox.ts';
import type { Versioned } from '../../kit/web/forms/versioned-edit.ts';
import type { completeBody } from '../complete-rules.ts';
import type { dateCalls, PlannedDate } from '../contract.ts';
import type { editDateBody, planBody } from '../form-rules.ts';

const api = client<typeof dateCalls>();

export const dateKeys = {
  all: ['dates'] as const,
  list: () => [...dateKeys.all, 'list'] as const,
  one: (id: string) => [...dateKeys.all, 'one', id] as const,
};

/** All planned dates. */
export function useDates() {
  return useQuery({
    queryKey: dateKeys.list(),
    queryFn: ({ signal }) => api('GET /api/PlannedDates', {}, { signal }),
  });
}

async function fetchDate(id: string, signal?: AbortSignal): Promise<Versioned<PlannedDate>> {
  return versioned(await api.whole('GET /api/PlannedDates/{id}', { params: { id } }, signal ? { signal } : {}));
}

function versioned({ body, etag }: Answered<PlannedDate>): Versioned<PlannedDate> {
  return { thing: body, etag };
}

/** One planned date and its version, asked for anew whenever a page that needs it opens. */
export function useDate(id: string) {
  return useQuery({
    queryKey: dateKeys.one(id),
    queryFn: ({ signal }) => fetchDate(id, signal),
    enabled: id !== '',
    refetchOnMount: 'always',
  });
}

/** Asks for a date anew, past every cache: what stands there after a 412. */
export function useFreshDate(id: string): () => Promise<Versioned<PlannedDate>> {
  const queries = useQueryClient();
  return () => queries.fetchQuery({ queryKey: dateKeys.one(id), queryFn: () => fetchDate(id), staleTime: 0 });
}

/**
 * Puts what a write answered where it is shown. A date counts on its idea, its memories, the statistics and the
 * dashboard: all that is loaded is old then, and asked for anew.
 */
function useUpdateCache() {
  const queries = useQueryClient();
  return (now: Versioned<PlannedDate>) => {
    const { id } = now.thing;
    queries.setQueryData(dateKeys.one(id), now);
    queries.setQueryData<PlannedDate[]>(dateKeys.list(), (dates) =>
      dates?.map((date) => (date.id === id ? now.thing : date)),
    );
    void queries.invalidateQueries();
  };
}

interface Plan {
  readonly body: ReturnType<typeof planBody>;
  readonly key: string;
  /** How it is kept while it can not be sent. */
  readonly keep: KeptIn & { readonly title: string; readonly lines: readonly string[] };
  /** The idea itself was added offline: it may be waiting still, and the plan with it. */
  readonly local: boolean;
}

/** Plans a date from an idea. While the browser is offline, or the idea waits, it is kept, and the answer is null. */
export function usePlanDate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, keep, local }: Plan) => {
      if (navigator.onLine && !local) {
        return createOnce(() => api('POST /api/PlannedDates', { body }, { idempotencyKey: key }));
      }
      const { keepCall } = await import('../../base/web/outbox.ts');
      await keepCall({ ...keep, name: 'POST /api/PlannedDates', body, key });
      return null;
    },
    onSuccess: () => {
      void queries.invalidateQueries();
    },
  });
}

/** Replaces when, where and the notes. */
export function useUpdateDate(id: string) {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: ({ body, ifMatch }: { body: ReturnType<typeof editDateBody>; ifMatch: string | null }) =>
      api.whole('PUT /api/PlannedDates/{id}', { params: { id }, body }, { ifMatch }).then(versioned),
    onSuccess: updateCache,
  });
}

/** Completes a date that is in progress. */
export function useCompleteDate(id: string) {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: ({ body, ifMatch }: { body: ReturnType<typeof completeBody>; ifMatch: string | null }) =>
      api.whole('POST /api/PlannedDates/{id}/complete', { params: { id }, body }, { ifMatch }).then(versioned),
    onSuccess: updateCache,
  });
}

/** Starts or cancels; whatever came of it, the lists are asked for anew (spec 4: after any list action). */
export function useMoveDate() {
  const queries = useQueryClient();
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: ({ id, move }: { id: string; move: 'start' | 'cancel' }) =>
      (move === 'start'
        ? api.whole('POST /api/PlannedDates/{id}/start', { params: { id } })
        : api.whole('POST /api/PlannedDates/{id}/cancel', { params: { id } })
      ).then(versioned),
    onSuccess: updateCache,
    onError: () => {
      void queries.invalidateQueries({ queryKey: dateKeys.all });
    },
  });
}

/** Puts a date into the trash; it leaves the list at once. */
export function useDeleteDate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/PlannedDates/{id}', { params: { id } }),
    onSuccess: (_, id) => {
      queries.setQueryData<PlannedDate[]>(dateKeys.list(), (dates) => dates?.filter((date) => date.id !== id));
      // Its own page is left right after; asked for anew it would only be found gone.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] !== id });
    },
    onError: () => {
      void queries.invalidateQueries({ queryKey: dateKeys.all });
    },
  });
}
