import type { FieldError, RefusalStatus } from '../../base/refusal.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import { toRefusal } from '../../base/server/errors.ts';
import { keyed, type Session } from '../../base/server/serve.ts';
import { keepPhotograph } from './keep.ts';
import { dropPieces, joinPieces } from './pieces.ts';
import { settleUpload, type UploadRow } from './upload-store.ts';
import type { Workshop } from './workshop.ts';

/**
 * The end of an upload whose pieces are all here: they are put together and kept by the very steps that keep a
 * photograph sent whole, under the same key (contract 3, Memories). What became of it is written down, so that a last
 * answer that got lost is given again. Who is refused for good may begin anew; who met a store out of reach may ask
 * again, and sends nothing twice.
 * @throws Refusal as `POST /api/Memories`
 */
export async function keepPieces(
  deps: Deps,
  workshop: Workshop,
  { session, upload }: { session: Session; upload: UploadRow },
): Promise<void> {
  const { coupleId, id, key } = upload;
  if (upload.memoryId !== null) return;
  if (upload.refusal !== null) throw readRefusal(upload.refusal);
  try {
    const answer = await keyed(deps, { name: 'POST /api/Memories', coupleId, key }, ({ claim, create }) =>
      keepPhotograph(deps, workshop, { session, claim, create }, async (keeping) => {
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
    await deps.db.write((tx) => settleUpload(tx, coupleId, id, { memoryId: answer.body.id }));
    deps.step('settled');
    await dropPieces(deps, coupleId, id);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === null || refusal.status >= 500 || refusal.retryAfter !== undefined) throw error;
    await deps.db.write((tx) => settleUpload(tx, coupleId, id, { refusal: writeRefusal(refusal), key: null }));
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
