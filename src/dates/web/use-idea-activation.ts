import { useMutation } from '@tanstack/react-query';
import { asApiError } from '../../base/web/net/api-error.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { useFreshIdea, useUpdateIdea } from '../../ideas/web/queries.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { activeIdeaBody } from '../active-idea-body.ts';

/**
 * A mutation that makes an idea active again, unless it is. It takes the version that is known, or null. A failure shows
 * an alert, except 404: the idea was deleted.
 */
export function useIdeaActivation(id: string) {
  const notify = useNotify();
  const updateIdea = useUpdateIdea(id);
  const fetchNow = useFreshIdea(id);
  const activate = async ({ entity, etag }: Versioned<DateIdea>) =>
    entity.isActive ? entity : (await updateIdea({ body: activeIdeaBody(entity), ifMatch: etag })).entity;
  return useMutation({
    mutationFn: async (known: Versioned<DateIdea> | null) =>
      activate(known ?? (await fetchNow())).catch(async (error: unknown) => {
        if (asApiError(error).status !== 412) throw error;
        // The partner has changed it since, or the answer to the last press was lost.
        return activate(await fetchNow());
      }),
    onError: (error) => {
      if (!isNotFound(error)) notify.alert('Failed to update date idea. Please try again.');
    },
  });
}
