import type { FieldError } from '../../../base/problem.ts';
import { Refusal, type RefusalStatus } from '../../../base/refusal.ts';
import { type IdempotentCreate, runIdempotent } from '../../../base/server/calls/idempotency.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { toRefusal } from '../../../base/server/http/to-refusal.ts';
import type { PreviewMaker } from '../../../memories/server/pictures/preview-maker.ts';
import { readMemoryAgain, savePhoto } from '../save-photo.ts';
import { uploadInUse } from './upload-lock.ts';
import { deleteParts, joinParts } from './upload-parts.ts';
import { settleUpload, type UploadRow } from './upload-store.ts';

/**
 * Finishes an upload whose parts have all arrived: joins them, and saves the photo with the same steps and under the
 * same key as one sent in a single request (uploads.parts.1). The upload's result is written in the same
 * transaction, so a lost last response can be repeated, and if two nodes finish the same upload (one was paused, and the
 * other took over) only one of them saves it. After a permanent refusal the client can start again with the same key.
 * After a temporary failure it can retry without sending any part again.
 * @throws Refusal as `POST /api/Memories` does; 409 with Retry-After if another request settled the upload
 */
export async function finishUpload(
  deps: Deps,
  previewMaker: PreviewMaker,
  { session, upload }: { session: Session; upload: UploadRow },
): Promise<void> {
  const { coupleId, id, key } = upload;
  if (upload.memoryId !== null) return;
  if (upload.refusal !== null) throw readRefusal(upload.refusal);
  const onSave = async (tx: Writer, memoryId: string) => {
    if (!(await settleUpload(tx, coupleId, id, { memoryId }))) throw uploadInUse();
  };
  try {
    const request: IdempotentCreate = {
      name: 'POST /api/Memories',
      coupleId,
      key,
      readAgain: (memoryId) => readMemoryAgain(deps, session, memoryId),
    };
    const answer = await runIdempotent(deps, request, (once) =>
      savePhoto(deps, previewMaker, { session, ...once, onSave }, async (path) => ({
        file: await joinParts(deps, upload, path, () => deps.crashPoint('receiving')),
        texts: new Map([
          ['PlannedDateId', upload.dateId],
          ['Caption', upload.caption ?? ''],
        ]),
        errors: [],
      })),
    );
    // `answer` may be an earlier request's, which died before it settled the upload.
    await deps.db.write((tx) => settleUpload(tx, coupleId, id, { memoryId: answer.body.id }));
    deps.crashPoint('settled');
    await deleteParts(deps, coupleId, id);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === null || isTemporary(refusal)) throw error;
    const settled = { refusal: writeRefusal(refusal), key: null };
    if (!(await deps.db.write((tx) => settleUpload(tx, coupleId, id, settled)))) throw uploadInUse();
    await deleteParts(deps, coupleId, id);
    throw refusal;
  }
}

/**
 * Whether the same request may succeed later: also after signing in again, since either partner continues an upload, and
 * once the space is no longer suspended.
 */
function isTemporary({ status, retryAfter, type }: Refusal): boolean {
  return status >= 500 || status === 401 || retryAfter !== undefined || type === 'suspended';
}

function writeRefusal({ status, message, errors }: Refusal): string {
  return JSON.stringify({ status, message, errors });
}

function readRefusal(text: string): Refusal {
  const { status, message, errors } = JSON.parse(text) as {
    status: RefusalStatus;
    message: string;
    errors: readonly FieldError[];
  };
  return new Refusal(status, message, { errors });
}
