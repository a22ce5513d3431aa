import type { FastifyRequest } from 'fastify';
import { textOrNull } from '../../base/clean-text.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { TransferPlace } from '../../base/server/http/transfer-places.ts';
import { findDateToAdd } from './find-date-to-add.ts';
import { readForm, type UploadedForm } from './read-form.ts';

/** A request with a form, whose date is checked unless a key has saved it before. */
interface FormRequest {
  readonly request: FastifyRequest;
  readonly session: Session;
  /** Null unless the request's `Idempotency-Key` has created something. */
  readonly replay: unknown;
}

/** Receives a photo that is sent as a form, and rejects an unknown date as soon as the form names it. */
export function receiveForm(
  deps: Deps,
  { request, session, replay }: FormRequest,
  place: TransferPlace,
): (path: string) => Promise<UploadedForm> {
  return (path) =>
    readForm(request, {
      path,
      place,
      onText: async (field, text) => {
        // A retry gets its first answer, even if the date is gone by now.
        if (field !== 'PlannedDateId' || replay) return;
        const id = textOrNull(text);
        if (id === null) return;
        await findDateToAdd(deps, session, id);
      },
      onChunk: () => deps.crashPoint('receiving'),
    });
}
