import { versioned } from '../../../base/web/net/check-saved-entity.ts';
import { createOnce } from '../../../base/web/net/create-once.ts';
import { useChangeAndRefetch } from '../../../base/web/queries/change-and-refetch.ts';
import type { KeptIn } from '../../../base/web/storage/outbox.ts';
import { sendOrKeep } from '../../../base/web/storage/send-or-keep.ts';
import type { correctionBody } from '../../correction-form.ts';
import type { pastBody } from '../../past-form.ts';
import { dateApi } from '../api.ts';
import { CHANGED_DATE } from '../queries.ts';

/** How the outbox shows a call that waits. */
type Waiting = KeptIn & { readonly title: string; readonly lines: readonly string[] };

interface PastDate {
  readonly body: ReturnType<typeof pastBody>;
  readonly key: string;
  readonly keep: Waiting;
}

/** Returns a function that adds a date that has happened. Offline it goes to the outbox, and the result is null. */
export function useAddPastDate() {
  return useChangeAndRefetch({
    entity: 'plannedDate',
    idOf: (date) => date?.id ?? null,
    change: ({ body, key, keep }: PastDate) =>
      sendOrKeep(() => createOnce(() => dateApi('POST /api/PlannedDates/past', { body }, { idempotencyKey: key })), {
        ...keep,
        name: 'POST /api/PlannedDates/past',
        body,
        key,
      }),
  });
}

interface Correction {
  readonly body: ReturnType<typeof correctionBody>;
  readonly ifMatch: string | null;
  readonly keep: Waiting;
}

/** Returns a function that corrects what happened on a date. Offline it goes to the outbox, and the result is null. */
export function useCorrectDate(id: string) {
  const params = { id };
  return useChangeAndRefetch({
    ...CHANGED_DATE,
    idOf: (corrected) => corrected?.entity.id ?? null,
    show: (queryClient, corrected) => corrected && CHANGED_DATE.show(queryClient, corrected),
    change: ({ body, ifMatch, keep }: Correction) =>
      sendOrKeep(
        () => dateApi.whole('PUT /api/PlannedDates/{id}/record', { params, body }, { ifMatch }).then(versioned),
        {
          ...keep,
          name: 'PUT /api/PlannedDates/{id}/record',
          params,
          body,
          ifMatch,
          key: null,
        },
      ),
  });
}
