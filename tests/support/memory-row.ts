import { uuidv7 } from 'uuidv7';
import type { CoupleId } from '../../src/base/ids.ts';
import type { MemoryRow } from '../../src/memories/server/store.ts';

/** The row of a memory that is only counted: its files don't exist. */
export function memoryRow(coupleId: CoupleId, dateId: string, fileSizeBytes: number): MemoryRow {
  return {
    coupleId,
    id: uuidv7(),
    dateId,
    fileName: `${uuidv7()}.jpg`,
    originalFileName: 'photo.jpg',
    fileExtension: '.jpg',
    fileSizeBytes,
    sha256: uuidv7(),
    width: 1,
    height: 1,
    thumbHash: '',
    caption: null,
    uploadedAt: 1,
    takenAt: null,
    deletedAt: null,
    deletedBy: null,
    dateDeletedAt: null,
  };
}
