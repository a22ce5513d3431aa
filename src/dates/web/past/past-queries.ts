import { createOnce } from '../../../base/web/net/create-once.ts';
import { useEntityMutation } from '../../../base/web/queries/use-entity-mutation.ts';
import type { KeptIn } from '../../../base/web/storage/outbox.ts';
import type { correctionBody, pastBody } from '../../past-form.ts';
import { dateApi } from '../api.ts';
import { CHANGED_DATE, versioned } from '../queries.ts';

/** How the outbox shows a call that waits. */
type Waiting = KeptIn & { readonly title: string; readonly lines: readonly string[] };

/** Adds a date that has happened. If the browser is offline, it goes to the outbox and the result is null. */
export function useAddPastDate() {
  return useEntityMutation({
    entity: 'plannedDate',
    idOf: (date) => date?.id ?? null,
    change: async ({ body, key, keep }: { body: ReturnType<typeof pastBody>; key: string; keep: Waiting }) => {
      if (navigator.onLine) {
        return createOnce(() => dateApi('POST /api/PlannedDates/past', { body }, { idempotencyKey: key }));
      }
      const { keepCall } = await import('../../../base/web/storage/outbox.ts');
      await keepCall({ ...keep, name: 'POST /api/PlannedDates/past', body, key });
      return null;
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
  return useEntityMutation({
    ...CHANGED_DATE,
    idOf: (corrected) => corrected?.entity.id ?? null,
    show: (queryClient, corrected) => corrected && CHANGED_DATE.show(queryClient, corrected),
    change: async ({ body, ifMatch, keep }: Correction) => {
      const params = { id };
      if (navigator.onLine) {
        return versioned(await dateApi.whole('PUT /api/PlannedDates/{id}/record', { params, body }, { ifMatch }));
      }
      const { keepCall } = await import('../../../base/web/storage/outbox.ts');
      await keepCall({ ...keep, name: 'PUT /api/PlannedDates/{id}/record', params, body, ifMatch, key: null });
      return null;
    },
  });
}
