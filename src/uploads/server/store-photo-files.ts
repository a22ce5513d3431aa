import { uuidv7 } from 'uuidv7';
import { readCouple } from '../../auth/server/couple/couple-store.ts';
import type { CoupleId } from '../../base/ids.ts';
import { memorySearchText } from '../../base/search-text.ts';
import type { Deps } from '../../base/server/deps.ts';
import { isSameDigest } from '../../base/server/files/digest.ts';
import { digestOfStored } from '../../base/server/files/read-stored.ts';
import { assertOwnStore } from '../../base/server/files/store-identity.ts';
import { cleanFileName } from '../../memories/file-name.ts';
import type { Size } from '../../memories/rules.ts';
import { leaveToSweepOnError, removeFiles } from '../../memories/server/file-remover.ts';
import { addPendingFiles } from '../../memories/server/pending-file-store.ts';
import type { InspectedPhoto } from '../../memories/server/pictures/inspect-photo.ts';
import type { MemoryRow } from '../../memories/server/store.ts';
import { fileNameOf, newStem, storedName } from '../../memories/server/stored-names.ts';
import type { PhotoUpload } from './check-upload-form.ts';

/** A photo whose files are stored, and whose row is not written yet. */
export interface StoredPhoto {
  readonly stem: string;
  /** When its pending-file row was written. A sweep that takes the row over changes this time. */
  readonly pendingSince: number;
  /** Without its place in the story, which its date decides when the row is written. */
  readonly row: Omit<MemoryRow, 'happenedAt'>;
}

/**
 * Inspects a photo and stores its original and thumbnail. If it fails, it removes what it stored.
 * @throws Refusal 400 if the photo is broken or too large to decode; what the store or the database throws
 */
export async function storePhotoFiles(deps: Deps, coupleId: CoupleId, upload: PhotoUpload): Promise<StoredPhoto> {
  const { db, files, now, crashPoint } = deps;
  const { file, type } = upload;
  const { timeZone } = await readCouple(db.read, coupleId);
  const stem = newStem();
  const fileName = fileNameOf(stem, type);
  const nameOf = (size: Size) => storedName(coupleId, fileName, size);
  // Loaded on first use: it takes 17 MB of memory, and its share of a start.
  const { inspectPhoto } = await import('../../memories/server/pictures/inspect-photo.ts');

  const photo = await inspectPhoto(file.path, type, { zone: timeZone, now: now() });
  crashPoint('decoded');
  const pendingSince = now();
  await db.write((tx) => addPendingFiles(tx, coupleId, { stems: [stem], now: pendingSince }));
  crashPoint('pending file written');
  try {
    await files.put(nameOf('original'), file.path, type);
    crashPoint('original stored');
    await files.putBytes(nameOf('thumbnail'), photo.thumbnail, 'image/webp');
    crashPoint('thumbnail stored');
    // A disk may have been unplugged, or another one mounted in its place, since the upload began.
    await assertOwnStore(deps);
    const row = rowOf(upload, { coupleId, fileName, photo, uploadedAt: now() });
    return { stem, pendingSince, row };
  } catch (error) {
    await leaveToSweepOnError(deps, () => removeFiles(deps, coupleId, stem));
    throw error;
  }
}

/**
 * Stores a photo in place of its twin's original if that is lost or damaged: the response says that the photo is safe, and
 * its sender may delete it.
 */
export async function mendOriginal(
  deps: Deps,
  { coupleId, fileName }: MemoryRow,
  { file, type }: PhotoUpload,
): Promise<void> {
  const { files } = deps;
  await assertOwnStore(deps);
  const name = storedName(coupleId, fileName, 'original');
  const found = await digestOfStored(files, name);
  if (found !== null && isSameDigest(found, { bytes: file.size, sha256: file.sha256 })) return;
  await files.put(name, file.path, type);
}

function rowOf(
  { file, dateId, caption }: PhotoUpload,
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
    correctedTakenAt: null,
    updatedAt: null,
    version: 1,
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
