import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../base/web/net/client.ts';
import { createOnce } from '../../../base/web/net/create-once.ts';
import type { KeptIn } from '../../../base/web/storage/outbox.ts';
import type { dateCalls } from '../../contract.ts';
import type { correctionBody, pastBody } from '../../past-form.ts';
import { useUpdateCache, versioned } from '../queries.ts';

const api = client<typeof dateCalls>();

/** How the outbox shows a call that waits. */
type Waiting = KeptIn & { readonly title: string; readonly lines: readonly string[] };

/** Adds a date that has happened. If the browser is offline, it goes to the outbox and the result is null. */
export function useAddPastDate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, keep }: { body: ReturnType<typeof pastBody>; key: string; keep: Waiting }) => {
      if (navigator.onLine) {
        return createOnce(() => api('POST /api/PlannedDates/past', { body }, { idempotencyKey: key }));
      }
      const { keepCall } = await import('../../../base/web/storage/outbox.ts');
      await keepCall({ ...keep, name: 'POST /api/PlannedDates/past', body, key });
      return null;
    },
    onSuccess: () => {
      void queryClient.invalidateQueries();
    },
  });
}

interface Correction {
  readonly body: ReturnType<typeof correctionBody>;
  readonly ifMatch: string | null;
  readonly keep: Waiting;
}

/** Corrects what happened on a date. If the browser is offline, it goes to the outbox and the result is null. */
export function useCorrectDate(id: string) {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: async ({ body, ifMatch, keep }: Correction) => {
      const params = { id };
      if (navigator.onLine) {
        return versioned(await api.whole('PUT /api/PlannedDates/{id}/record', { params, body }, { ifMatch }));
      }
      const { keepCall } = await import('../../../base/web/storage/outbox.ts');
      await keepCall({ ...keep, name: 'PUT /api/PlannedDates/{id}/record', params, body, ifMatch, key: null });
      return null;
    },
    onSuccess: (corrected) => {
      if (corrected !== null) updateCache(corrected);
    },
  });
}
