import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../base/web/api.ts';
import { createOnce } from '../../base/web/create-once.ts';
import type { KeptIn } from '../../base/web/outbox.ts';
import type { Versioned } from '../../kit/web/forms/versioned-edit.ts';
import type { DateIdea, ideaCalls } from '../contract.ts';
import type { ideaBody } from '../form-rules.ts';
import { CATEGORIES, categoryName } from '../rules.ts';

const api = client<typeof ideaCalls>();

type IdeaBody = ReturnType<typeof ideaBody>;

export const ideaKeys = {
  all: ['ideas'] as const,
  active: () => [...ideaKeys.all, 'active'] as const,
  every: () => [...ideaKeys.all, 'every'] as const,
  categories: () => [...ideaKeys.all, 'categories'] as const,
  one: (id: string) => [...ideaKeys.all, 'one', id] as const,
};

/** The active ideas: what the list shows. */
export function useActiveIdeas() {
  return useQuery({
    queryKey: ideaKeys.active(),
    queryFn: ({ signal }) => api('GET /api/DateIdeas/active', {}, { signal }),
  });
}

/** All ideas, for those made inactive; asked for when the active ones are here, so that these are not kept waiting. */
export function useEveryIdea(enabled: boolean) {
  return useQuery({
    queryKey: ideaKeys.every(),
    queryFn: ({ signal }) => api('GET /api/DateIdeas', {}, { signal }),
    enabled,
  });
}

/** The categories to choose from; the eight defaults until the call has answered, and where it fails (spec 3). */
export function useCategories() {
  const query = useQuery({
    queryKey: ideaKeys.categories(),
    queryFn: ({ signal }) => api('GET /api/DateIdeas/categories', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { categories: query.data ?? CATEGORIES, failed: query.isError };
}

async function fetchIdea(id: string, signal?: AbortSignal): Promise<Versioned<DateIdea>> {
  try {
    const { body, etag } = await api.whole('GET /api/DateIdeas/{id}', { params: { id } }, signal ? { signal } : {});
    return { thing: body, etag };
  } catch (error) {
    if (signal?.aborted) throw error;
    // One that was added offline has another id here than on the server, or none there yet.
    const { findQueuedIdea } = await import('./queued-idea.ts');
    const found = await findQueuedIdea(id).catch(() => undefined);
    if (found === undefined) throw error;
    return typeof found === 'string' ? fetchIdea(found, signal) : { thing: found, etag: null };
  }
}

/** One idea and its version, asked for anew whenever a page that needs it opens. */
export function useIdea(id: string) {
  return useQuery({
    queryKey: ideaKeys.one(id),
    queryFn: ({ signal }) => fetchIdea(id, signal),
    enabled: id !== '',
    refetchOnMount: 'always',
  });
}

/** Asks for an idea anew, past every cache: what stands there after a 412. */
export function useFreshIdea(id: string): () => Promise<Versioned<DateIdea>> {
  const queries = useQueryClient();
  return () => queries.fetchQuery({ queryKey: ideaKeys.one(id), queryFn: () => fetchIdea(id), staleTime: 0 });
}

/** Adds an idea; the lists of ideas are old then. While the browser is offline it is kept, and the answer is null. */
export function useCreateIdea() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, keep }: { body: IdeaBody; key: string; keep: KeptIn }) => {
      if (navigator.onLine) return createOnce(() => api('POST /api/DateIdeas', { body }, { idempotencyKey: key }));
      const { keepCall } = await import('../../base/web/outbox.ts');
      const lines = [categoryName(body.category), ...(body.description ? [body.description] : [])];
      await keepCall({ ...keep, name: 'POST /api/DateIdeas', body, key, title: body.title, lines });
      return null;
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ideaKeys.all });
    },
  });
}

/** Replaces an idea. Its title stands on dates, statistics and the dashboard too: all that is loaded is old then. */
export function useUpdateIdea(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, ifMatch }: { body: IdeaBody; ifMatch: string | null }) =>
      api.whole('PUT /api/DateIdeas/{id}', { params: { id }, body }, { ifMatch }),
    onSuccess: ({ body, etag }) => {
      queries.setQueryData<Versioned<DateIdea>>(ideaKeys.one(id), { thing: body, etag });
      void queries.invalidateQueries();
    },
  });
}

/** Takes an idea out of every list of ideas, at once; then they are asked for anew. */
export function useDeleteIdea() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/DateIdeas/{id}', { params: { id } }),
    onSuccess: (_, id) => {
      for (const queryKey of [ideaKeys.active(), ideaKeys.every()]) {
        queries.setQueryData<DateIdea[]>(queryKey, (ideas) => ideas?.filter((idea) => idea.id !== id));
      }
      void queries.invalidateQueries({ queryKey: ideaKeys.all });
    },
  });
}
