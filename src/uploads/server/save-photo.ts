import { rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { assertSignedIn } from '../../auth/server/session/sessions.ts';
import { readCouple } from '../../auth/server/store.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { FieldError } from '../../base/refusal.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { memorySearchText } from '../../base/search-text.ts';
import { Answer, created } from '../../base/server/calls/answer.ts';
import type { SeenAgain } from '../../base/server/calls/replies.ts';
import type { Context, Session } from '../../base/server/calls/serve.ts';
import { watchCommit } from '../../base/server/db/commit-outcome.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { sameDigest } from '../../base/server/files/durable-file.ts';
import { assertOwnStore } from '../../base/server/files/store-identity.ts';
import { digestOfStored } from '../../base/server/files/stored-file.ts';
import type { Place } from '../../base/server/http/places.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { textOrNull } from '../../base/text.ts';
import { allows, type DateStatus, REFUSED } from '../../dates/rules.ts';
import { lockDate } from '../../dates/server/date-store.ts';
import { onlyPlanner, refuseHidden } from '../../dates/server/surprise-store.ts';
import { findDate } from '../../dates/server/visible-dates.ts';
import type { VisibleDate } from '../../dates/surprises.ts';
import type { Memory } from '../../memories/contract.ts';
import { cleanFileName } from '../../memories/file-name.ts';
import { happenedAt } from '../../memories/happened-at.ts';
import type { MediaType, Size } from '../../memories/rules.ts';
import { leaveToSweepOnError, removeFiles } from '../../memories/server/file-removal.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { fileNameOf, newStem, storedName } from '../../memories/server/names.ts';
import { addPendingFiles, removeOwnPendingFile } from '../../memories/server/pending-file-store.ts';
import type { ImageProcessor } from '../../memories/server/pictures/image-processor.ts';
import { typeOf, wrongType } from '../../memories/server/pictures/photo-type.ts';
import type { InspectedPhoto } from '../../memories/server/pictures/picture.ts';
import type { MemoryRow } from '../../memories/server/store.ts';
import { findMemoryOfDate, findTwin, insertMemory, visibleTo } from '../../memories/server/store.ts';
import type { uploadCalls } from '../contract.ts';
import { captionFault } from '../selection.ts';
import { type Form, readForm } from './form.ts';
import type { ReceivedFile } from './receive-file.ts';

type UploadContext = Pick<
  Context<'POST /api/Memories', (typeof uploadCalls)['POST /api/Memories']>,
  'session' | 'replay' | 'create'
> & {
  /** Runs in the transaction that writes the memory. If it throws, nothing is saved. */
  readonly onSave?: (tx: Writer, memoryId: string) => Promise<void>;
};

/** A valid form. */
interface Upload {
  readonly file: ReceivedFile;
  readonly type: MediaType;
  readonly dateId: string;
  readonly caption: string | null;
}

/** A photo whose files are stored, and whose row is not written yet. */
interface StoredPhoto {
  readonly stem: string;
  /** When its pending-file row was written. A sweep that takes the row over changes this time. */
  readonly pendingSince: number;
  /** Without its place in the story, which its date decides when the row is written. */
  readonly row: Omit<MemoryRow, 'happenedAt'>;
}

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
  imageProcessor: ImageProcessor,
  context: UploadContext,
  receive: (path: string) => Promise<Form>,
): Promise<Answer<Memory>> {
  const path = deps.files.temporary();
  try {
    const upload = checkUpload(await receive(path));
    deps.step('received');
    const { answer, stored } = await saveUpload(deps, context, upload);
    if (stored !== null) {
      deps.step('committed');
      imageProcessor.previewLater(stored.row);
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

/** Receives a photo that is sent as a form, and rejects an unknown date as soon as the form names it. */
export function receiveForm(
  deps: Deps,
  { request, session, replay }: Pick<UploadContext, 'session' | 'replay'> & { readonly request: FastifyRequest },
  place: Place,
): (path: string) => Promise<Form> {
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
      onChunk: () => deps.step('receiving'),
    });
}

/** Saves a received photo. `stored` is null if no new memory was saved. */
async function saveUpload(
  deps: Deps,
  { session, replay, create, onSave }: UploadContext,
  upload: Upload,
): Promise<{ answer: Answer<Memory>; stored: StoredPhoto | null }> {
  const { coupleId } = session;
  const { sha256 } = upload.file;
  const { dateId, caption } = upload;
  const twin = replay ? null : await findTwin(deps.db.read, coupleId, { dateId, sha256 });
  if (twin) await mendOriginal(deps, twin, upload);
  const stored = replay || twin ? null : await storePhoto(deps, coupleId, upload);
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

/**
 * Stores a photo in place of its twin's original if that is lost or damaged: the response says that the photo is safe, and
 * its sender may delete it.
 */
async function mendOriginal({ files }: Deps, { coupleId, fileName }: MemoryRow, { file, type }: Upload): Promise<void> {
  const name = storedName(coupleId, fileName, 'original');
  const found = await digestOfStored(files, name);
  if (found !== null && sameDigest(found, { bytes: file.size, sha256: file.sha256 })) return;
  await files.put(name, file.path, type);
}

/**
 * Inspects a photo and stores its original and thumbnail. If it fails, it removes what it stored.
 * @throws Refusal 400 if the photo is broken or too large to decode; what the store or the database throws
 */
async function storePhoto(deps: Deps, coupleId: CoupleId, upload: Upload): Promise<StoredPhoto> {
  const { db, files, now, step } = deps;
  const { file, type } = upload;
  const { timeZone } = await readCouple(db.read, coupleId);
  const stem = newStem();
  const fileName = fileNameOf(stem, type);
  const nameOf = (size: Size) => storedName(coupleId, fileName, size);
  // Loaded on first use: it takes 17 MB of memory, and its share of a start.
  const { inspectPhoto } = await import('../../memories/server/pictures/picture.ts');

  const photo = await inspectPhoto(file.path, type, { zone: timeZone, now: now() });
  step('decoded');
  const pendingSince = now();
  await db.write((tx) => addPendingFiles(tx, coupleId, { stems: [stem], now: pendingSince }));
  step('pending file written');
  try {
    await files.put(nameOf('original'), file.path, type);
    step('original stored');
    await files.putBytes(nameOf('thumbnail'), photo.thumbnail, 'image/webp');
    step('thumbnail stored');
    // A disk may have been unplugged, or another one mounted in its place, since the upload began.
    await assertOwnStore(deps);
    const row = rowOf(upload, { coupleId, fileName, photo, uploadedAt: now() });
    return { stem, pendingSince, row };
  } catch (error) {
    await leaveToSweepOnError(deps, () => removeFiles(deps, coupleId, stem));
    throw error;
  }
}

function rowOf(
  { file, dateId, caption }: Upload,
  {
    coupleId,
    fileName,
    photo,
    uploadedAt,
  }: { coupleId: CoupleId; fileName: string; photo: InspectedPhoto; uploadedAt: number },
): StoredPhoto['row'] {
  const fileExtension = fileName.slice(fileName.indexOf('.'));
  const originalFileName = cleanFileName(file.rawName, `photo${fileExtension}`);
  return {
    coupleId,
    id: uuidv7(),
    dateId,
    fileName,
    caption,
    width: photo.width,
    height: photo.height,
    thumbHash: photo.thumbHash,
    takenAt: photo.takenAt,
    originalFileName,
    searchText: memorySearchText({ caption, originalFileName }),
    fileExtension,
    fileSizeBytes: file.size,
    sha256: file.sha256,
    uploadedAt,
    deletedAt: null,
    deletedBy: null,
    dateDeletedAt: null,
  };
}

/**
 * The transaction. It checks the session again, because a photo may arrive long after its request was authenticated. It
 * locks the date, so that no one deletes or cancels it or adds the same bytes at the same time.
 */
async function writeMemory(
  deps: Deps,
  tx: Writer,
  session: Session,
  { dateId, file }: Upload,
  stored: StoredPhoto | null,
): Promise<Answer<Memory>> {
  const { coupleId, userId } = session;
  await assertSignedIn(tx, session);
  const date = await lockDate(tx, coupleId, dateId);
  if (!date) throw notFound('Planned date');
  await refuseHidden(tx, session, dateId, deps.now());
  const twin = await findTwin(tx, coupleId, { dateId, sha256: file.sha256 });
  if (twin) return new Answer(toMemory(twin), { status: 200 });
  assertTakesMemories(date.status);
  // The twin that made storing unnecessary was deleted since.
  if (stored === null) throw new Refusal(503, 'This photograph was just deleted. Please try again.', { retryAfter: 1 });
  const { row, stem, pendingSince } = stored;
  // While this node was paused, a sweep may have removed the files as those of an interrupted upload.
  if (!(await removeOwnPendingFile(tx, coupleId, { stem, createdAt: pendingSince }))) throw swept();
  const placed = { ...row, happenedAt: happenedAt(row, date) };
  await insertMemory(tx, placed);
  const only = await onlyPlanner(tx, coupleId, dateId, row.uploadedAt);
  await deps.announce(tx, coupleId, { entity: 'memory', id: row.id, action: 'created', by: userId }, only);
  deps.step('row written');
  return created(toMemory(placed), `/api/Memories/${row.id}`);
}

function swept(): Refusal {
  return new Refusal(503, 'The upload took too long. Nothing was saved; please try again.', { retryAfter: 1 });
}

/**
 * Finds a date to add memories to.
 * @throws Refusal 404 without it; 409 if it is hidden from the partner
 */
export async function findDateToAdd({ db, now }: Deps, viewer: Viewer, id: string): Promise<VisibleDate> {
  const at = now();
  const date = isId(id) ? await findDate(db.read, viewer, id, at) : undefined;
  if (!date) throw notFound('Planned date');
  if (date.isHidden) await refuseHidden(db.read, viewer, id, at);
  return date;
}

/** @throws Refusal 409 if no memories can be added to a date in this status */
export function assertTakesMemories(status: DateStatus): void {
  if (!allows(status, 'addMemories')) throw new Refusal(409, REFUSED.addMemories);
}

/**
 * Checks a form: the file type first, then everything else that is missing or wrong at once.
 * @throws Refusal 415, 400
 */
function checkUpload({ file, texts, errors: found }: Form): Upload {
  const type = file === null ? null : typeOf(file.head);
  if (file !== null && type === null) throw wrongType();
  const dateId = textOrNull(texts.get('PlannedDateId'));
  const caption = textOrNull(texts.get('Caption'));
  const errors: FieldError[] = [...found];
  const fault = (field: string, message: string | undefined) => {
    if (message !== undefined && !errors.some((known) => known.field === field)) errors.push({ field, message });
  };
  if (file === null) fault('ImageFile', 'Please choose a photograph');
  if (dateId === null) fault('PlannedDateId', 'Please choose a date');
  fault('Caption', captionFault(texts.get('Caption') ?? ''));
  if (file === null || type === null || dateId === null || errors.length > 0) {
    throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
  }
  return { file, type, dateId, caption };
}
