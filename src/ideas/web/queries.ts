import { useQuery, useQueryClient } from '@tanstack/react-query';
import { versioned } from '../../base/web/net/check-saved-entity.ts';
import { createOnce } from '../../base/web/net/create-once.ts';
import { untilDeleted } from '../../base/web/net/not-found.ts';
import { useChangeAndRefetch } from '../../base/web/queries/change-and-refetch.ts';
import type { KeptIn } from '../../base/web/storage/outbox.ts';
import { sendOrKeep } from '../../base/web/storage/send-or-keep.ts';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { CATEGORIES, categoryName } from '../categories.ts';
import type { DateIdea } from '../contract.ts';
import type { ideaBody } from '../form-rules.ts';
import { ideaApi } from './api.ts';

type IdeaBody = ReturnType<typeof ideaBody>;

export const ideaKeys = {
  all: ['ideas'] as const,
  active: () => [...ideaKeys.all, 'active'] as const,
  every: () => [...ideaKeys.all, 'every'] as const,
  categories: () => [...ideaKeys.all, 'categories'] as const,
  one: (id: string) => [...ideaKeys.all, 'one', id] as const,
};

/** Fetches the active ideas. */
export function useActiveIdeas() {
  return useQuery({
    queryKey: ideaKeys.active(),
    queryFn: ({ signal }) => ideaApi('GET /api/DateIdeas/active', {}, { signal }),
  });
}

/** Fetches all ideas, including inactive ones. Enable it after the active ones have loaded, so as not to delay them. */
export function useAllIdeas(enabled: boolean) {
  return useQuery({
    queryKey: ideaKeys.every(),
    queryFn: ({ signal }) => ideaApi('GET /api/DateIdeas', {}, { signal }),
    enabled,
  });
}

/** Fetches the categories. Returns the eight defaults while loading and on failure. */
export function useCategories() {
  const query = useQuery({
    queryKey: ideaKeys.categories(),
    queryFn: ({ signal }) => ideaApi('GET /api/DateIdeas/categories', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { categories: query.data ?? CATEGORIES, failed: query.isError };
}

async function fetchIdea(id: string, signal?: AbortSignal): Promise<Versioned<DateIdea>> {
  try {
    return versioned(await ideaApi.whole('GET /api/DateIdeas/{id}', { params: { id } }, signal ? { signal } : {}));
  } catch (error) {
    if (signal?.aborted) throw error;
    // An idea that was added offline has a temporary id on this device.
    const found = await import('./queued-idea.ts')
      .then(({ findQueuedIdea }) => findQueuedIdea(id))
      .catch(() => undefined);
    if (found === undefined) throw error;
    return typeof found === 'string' ? fetchIdea(found, signal) : { entity: found, etag: null };
  }
}

/** Fetches one idea and its version. Refetches on every mount. */
export function useIdea(id: string) {
  return useQuery({
    queryKey: ideaKeys.one(id),
    queryFn: ({ signal }) => fetchIdea(id, signal),
    enabled: id !== '',
    refetchOnMount: 'always',
  });
}

/** Returns a function that fetches the current version of an idea, bypassing the cache, after a 412. */
export function useFreshIdea(id: string): () => Promise<Versioned<DateIdea>> {
  const queryClient = useQueryClient();
  return () => queryClient.fetchQuery({ queryKey: ideaKeys.one(id), queryFn: () => fetchIdea(id), staleTime: 0 });
}

/** Returns a function that adds an idea. If the browser is offline, the idea goes to the outbox and the result is null. */
export function useCreateIdea() {
  return useChangeAndRefetch({
    entity: 'dateIdea',
    idOf: (idea) => idea?.id ?? null,
    change: ({ body, key, keep }: { body: IdeaBody; key: string; keep: KeptIn }) =>
      sendOrKeep(() => createOnce(() => ideaApi('POST /api/DateIdeas', { body }, { idempotencyKey: key })), {
        ...keep,
        name: 'POST /api/DateIdeas',
        body,
        key,
        title: body.title,
        lines: [categoryName(body.category), ...(body.description ? [body.description] : [])],
      }),
  });
}

/** Returns a function that replaces an idea. */
export function useUpdateIdea(id: string) {
  return useChangeAndRefetch({
    entity: 'dateIdea',
    change: ({ body, ifMatch }: { body: IdeaBody; ifMatch: string | null }) =>
      ideaApi.whole('PUT /api/DateIdeas/{id}', { params: { id }, body }, { ifMatch }).then(versioned),
    idOf: () => id,
    show: (queryClient, saved) => queryClient.setQueryData<Versioned<DateIdea>>(ideaKeys.one(id), saved),
    isCurrent: ([, kind, one]) => kind === 'one' && one === id,
  });
}

/** Returns a function that deletes an idea. It disappears from all lists at once; then they are refetched. */
export function useDeleteIdea() {
  return useChangeAndRefetch({
    entity: 'dateIdea',
    idOf: (_, id) => id,
    change: (id: string) => untilDeleted(ideaApi('DELETE /api/DateIdeas/{id}', { params: { id } })),
    show: (queryClient, _, id) => {
      for (const queryKey of [ideaKeys.active(), ideaKeys.every()]) {
        queryClient.setQueryData<DateIdea[]>(queryKey, (ideas) => ideas?.filter((idea) => idea.id !== id));
      }
    },
  });
}
