import type { FieldError, RefusalStatus } from '../../../base/refusal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { toRefusal } from '../../../base/server/errors.ts';
import { keyed, type Session } from '../../../base/server/serve.ts';
import type { Workshop } from '../../../memories/server/pictures/workshop.ts';
import { keepPhotograph } from '../save-photo.ts';
import { dropPieces, joinPieces } from './parts.ts';
import { stillWorkedOn } from './upload-lock.ts';
import { settleUpload, type UploadRow } from './upload-store.ts';

/**
 * The end of an upload whose pieces are all here: they are put together and kept by the very steps that keep a
 * photograph sent whole, under the same key (contract 3, Memories). What became of it is written down in the same
 * transaction, so that a last answer that got lost is given again, and of two nodes that are at it (one was stopped, and
 * the other took over) one keeps it. Who is refused for good may begin anew; who met a store out of reach may ask again,
 * and sends nothing twice.
 * @throws Refusal as `POST /api/Memories`; 409 to be asked again where another request settled it meanwhile
 */
export async function keepPieces(
  deps: Deps,
  workshop: Workshop,
  { session, upload }: { session: Session; upload: UploadRow },
): Promise<void> {
  const { coupleId, id, key } = upload;
  if (upload.memoryId !== null) return;
  if (upload.refusal !== null) throw readRefusal(upload.refusal);
  const onKeep = async (tx: Writer, memoryId: string) => {
    if (!(await settleUpload(tx, coupleId, id, { memoryId }))) throw stillWorkedOn();
  };
  try {
    const answer = await keyed(deps, { name: 'POST /api/Memories', coupleId, key }, ({ claim, create }) =>
      keepPhotograph(deps, workshop, { session, claim, create, onKeep }, async (keeping) => {
        const path = keeping.begin();
        return {
          file: await joinPieces(deps, upload, path, () => keeping.step('receiving')),
          texts: new Map([
            ['PlannedDateId', upload.dateId],
            ['Caption', upload.caption ?? ''],
          ]),
          errors: [],
        };
      }),
    );
    // The answer may have been kept before, by a request that died or by another node.
    await deps.db.write((tx) => settleUpload(tx, coupleId, id, { memoryId: answer.body.id }));
    deps.step('settled');
    await dropPieces(deps, coupleId, id);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === null || refusal.status >= 500 || refusal.retryAfter !== undefined) throw error;
    const settled = { refusal: writeRefusal(refusal), key: null };
    if (!(await deps.db.write((tx) => settleUpload(tx, coupleId, id, settled)))) throw stillWorkedOn();
    await dropPieces(deps, coupleId, id);
    throw refusal;
  }
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
