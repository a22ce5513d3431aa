import { formatSize } from '../../base/text.ts';
import { formatInstant } from '../../base/time.ts';
import type { Memory } from '../contract.ts';
import { FORMATS, type MediaType, type Size } from '../rules.ts';
import type { MemoryRow } from './store.ts';

/** The last instant of ISO 8601. Older versions stored capture times after it. */
const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/** Turns a row into the memory of the API. */
export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    plannedDateId: row.dateId,
    imageUrl: pathOf(row.id, 'original'),
    previewUrl: pathOf(row.id, 'preview'),
    thumbnailUrl: pathOf(row.id, 'thumbnail'),
    thumbHash: row.thumbHash,
    width: row.width,
    height: row.height,
    caption: row.caption,
    uploadedAt: formatInstant(row.uploadedAt),
    takenAt: row.takenAt === null || row.takenAt > LAST_INSTANT ? null : formatInstant(row.takenAt),
    fileName: row.fileName,
    originalFileName: row.originalFileName,
    fileExtension: row.fileExtension as Memory['fileExtension'],
    fileSizeBytes: row.fileSizeBytes,
    formattedFileSize: formatSize(row.fileSizeBytes),
  };
}

function pathOf(id: string, size: Size): string {
  return `/api/Memories/${id}/image?size=${size}`;
}

/** The media type of an original, as its inspection found it. */
export function typeOfRow(row: Pick<MemoryRow, 'fileExtension'>): MediaType {
  const types = Object.keys(FORMATS) as MediaType[];
  const type = types.find((candidate) => FORMATS[candidate] === row.fileExtension);
  if (type === undefined) throw new Error(`A memory with the extension ${row.fileExtension}`);
  return type;
}
