import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { Change } from '../../change.ts';
import { refetchAffected } from './affected-queries.ts';
import { beginOwnChange } from './own-changes.ts';

export interface EntityChange<Data, Variables> {
  readonly entity: Change['entity'];
  readonly change: (variables: Variables) => Promise<Data>;
  /** The id of what has changed; null if nothing has, because it waits on this device. */
  readonly idOf: (data: Data, variables: Variables) => string | null;
  /** Shows the answer at once. */
  readonly show?: (queryClient: QueryClient, data: Data, variables: Variables) => void;
  /** Whether a query needs no refetch: it has the answer, or it is of something that is gone. */
  readonly isCurrent?: (queryKey: QueryKey, id: string) => boolean;
  /** A refusal may mean that the partner was faster, so what is shown is fetched. */
  readonly refetchesOnError?: boolean;
}

/**
 * Changes an entity, shows the answer, and then refetches, once, what the change affects.
 * @throws what `change` throws
 */
export async function changeAndRefetch<Data, Variables>(
  queryClient: QueryClient,
  options: EntityChange<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { entity, change, idOf, show, isCurrent, refetchesOnError = false } = options;
  const end = beginOwnChange(entity);
  let data: Data;
  try {
    data = await change(variables);
  } catch (error) {
    if (end(null) || refetchesOnError) void refetchAffected(queryClient, entity);
    throw error;
  }
  const id = idOf(data, variables);
  end(id);
  show?.(queryClient, data, variables);
  if (id !== null) void refetchAffected(queryClient, entity, (queryKey) => isCurrent?.(queryKey, id) ?? false);
  return data;
}

/** Returns a function that changes an entity. */
export function useChangeAndRefetch<Data, Variables>(
  options: EntityChange<Data, Variables>,
): (variables: Variables) => Promise<Data> {
  const queryClient = useQueryClient();
  return (variables) => changeAndRefetch(queryClient, options, variables);
}
