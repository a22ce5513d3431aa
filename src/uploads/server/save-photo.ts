import { rm } from 'node:fs/promises';
import { Answer } from '../../base/server/calls/answer.ts';
import type { SeenAgain } from '../../base/server/calls/idempotency.ts';
import type { Context } from '../../base/server/calls/route-types.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { watchCommit } from '../../base/server/db/watch-commit.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { Memory } from '../../memories/contract.ts';
import { leaveToSweepOnError, removeFiles } from '../../memories/server/file-remover.ts';
import type { PreviewMaker } from '../../memories/server/pictures/preview-maker.ts';
import { findMemoryOfDate, findTwin, visibleTo } from '../../memories/server/store.ts';
import { toMemory } from '../../memories/server/to-memory.ts';
import type { uploadCalls } from '../contract.ts';
import { checkUploadForm, type PhotoUpload } from './check-upload-form.ts';
import type { UploadedForm } from './read-form.ts';
import { mendOriginal, type StoredPhoto, storePhotoFiles } from './store-photo-files.ts';
import { writeMemory } from './write-memory.ts';

type UploadContext = Pick<
  Context<'POST /api/Memories', (typeof uploadCalls)['POST /api/Memories']>,
  'session' | 'replay' | 'create'
> & {
  /** Runs in the transaction that writes the memory. If it throws, nothing is saved. */
  readonly onSave?: (tx: Writer, memoryId: string) => Promise<void>;
};

/**
 * Receives and saves one photo. It guarantees:
 * - When it returns, the memory is committed, and its original and thumbnail are stored and flushed.
 * - No row exists without its files, and no file without a memory row or a pending-file row, even after a crash.
 * - After a failure it removes what it stored. If it cannot, or if a commit's outcome is unknown, the sweep does that.
 * - A connection that drops while the photo arrives fails `receive`, and leaves nothing behind.
 * - The temporary file is moved into the store, or removed.
 * @param receive writes the photo to a local path, and returns it with the fields sent with it
 * @returns 201 with the memory, or 200 with the date's memory that already has the same bytes
 * @throws Refusal 400, 401, 404, 409, 413, 415, 503, 507, and whatever `receive` throws
 */
export async function savePhoto(
  deps: Deps,
  previewMaker: PreviewMaker,
  context: UploadContext,
  receive: (path: string) => Promise<UploadedForm>,
): Promise<Answer<Memory>> {
  const path = deps.files.temporary();
  try {
    const upload = checkUploadForm(await receive(path));
    deps.crashPoint('received');
    const { answer, stored } = await saveUpload(deps, context, upload);
    if (stored !== null) {
      deps.crashPoint('committed');
      previewMaker.previewLater(stored.row);
    }
    return answer;
  } finally {
    await leaveToSweepOnError(deps, () => rm(path, { force: true }));
  }
}

/** Reads a memory that an `Idempotency-Key` created earlier, as a partner may see it now. */
export async function readMemoryAgain({ db, now }: Deps, viewer: Viewer, id: string): Promise<SeenAgain> {
  const memory = await findMemoryOfDate(db.read, viewer.coupleId, id);
  if (memory === null) return 'deleted';
  const row = visibleTo(viewer, memory, now());
  return row === null ? 'hidden' : new Answer(toMemory(row));
}

/** Saves a received photo. `stored` is null if no new memory was saved. */
async function saveUpload(
  deps: Deps,
  { session, replay, create, onSave }: UploadContext,
  upload: PhotoUpload,
): Promise<{ answer: Answer<Memory>; stored: StoredPhoto | null }> {
  const { coupleId } = session;
  const { sha256 } = upload.file;
  const { dateId, caption } = upload;
  const twin = replay ? null : await findTwin(deps.db.read, coupleId, { dateId, sha256 });
  if (twin) await mendOriginal(deps, twin, upload);
  const stored = replay || twin ? null : await storePhotoFiles(deps, coupleId, upload);
  const discard = async () => {
    if (stored) await leaveToSweepOnError(deps, () => removeFiles(deps, coupleId, stored.stem));
  };
  const saving = watchCommit(async (tx) => {
    const answer = await writeMemory(deps, tx, session, upload, stored);
    await onSave?.(tx, answer.body.id);
    return answer;
  });
  try {
    const answer = await create(saving.work, JSON.stringify([sha256, dateId, caption]));
    if (stored !== null && answer.body.id === stored.row.id) return { answer, stored };
    // The date has the same bytes, or another request with the same key was answered first.
    await discard();
    return { answer, stored: null };
  } catch (error) {
    if (saving.isRolledBack(error)) await discard();
    throw error;
  }
}
