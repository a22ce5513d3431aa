import { useQuery, useQueryClient } from '@tanstack/react-query';
import { versioned } from '../../../base/web/net/check-saved-entity.ts';
import { useChangeAndRefetch } from '../../../base/web/queries/change-and-refetch.ts';
import type { Versioned } from '../../../kit/web/forms/use-versioned-edit.ts';
import type { Memory } from '../../contract.ts';
import type { memoryBody } from '../../edit-form.ts';
import { memoryApi } from '../api.ts';
import { memoryKeys } from '../queries.ts';

async function fetchMemory(id: string, signal?: AbortSignal): Promise<Versioned<Memory>> {
  return versioned(await memoryApi.whole('GET /api/Memories/{id}', { params: { id } }, signal ? { signal } : {}));
}

/** Fetches a memory and its version whenever the dialog opens. */
export function useMemoryToEdit(id: string) {
  return useQuery({
    queryKey: memoryKeys.one(id),
    queryFn: ({ signal }) => fetchMemory(id, signal),
    refetchOnMount: 'always',
  });
}

/** Returns a function that fetches the current version of a memory, after a 412. */
export function useFreshMemory(id: string): () => Promise<Versioned<Memory>> {
  const queryClient = useQueryClient();
  return () => queryClient.fetchQuery({ queryKey: memoryKeys.one(id), queryFn: () => fetchMemory(id), staleTime: 0 });
}

/** Returns a function that corrects a memory. It may be in another place of every list. */
export function useUpdateMemory(id: string) {
  return useChangeAndRefetch({
    entity: 'memory',
    change: ({ body, ifMatch }: { body: ReturnType<typeof memoryBody>; ifMatch: string | null }) =>
      memoryApi.whole('PUT /api/Memories/{id}', { params: { id }, body }, { ifMatch }).then(versioned),
    idOf: () => id,
    show: (queryClient, corrected) => queryClient.setQueryData(memoryKeys.one(id), corrected),
    isCurrent: ([, kind, one]) => kind === 'one' && one === id,
  });
}
