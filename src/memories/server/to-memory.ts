import { formatInstant } from '../../base/instants.ts';
import { formatSize } from '../../base/number-texts.ts';
import type { Memory } from '../contract.ts';
import { takenAtOf } from '../happened-at.ts';
import { FORMATS, type MediaType, type Size } from '../rules.ts';
import type { MemoryRow } from './store.ts';

/** Turns a row into the memory of the API. */
export function toMemory(row: MemoryRow): Memory {
  const takenAt = takenAtOf(row);
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
    takenAt: takenAt === null ? null : formatInstant(takenAt),
    happenedAt: formatInstant(row.happenedAt),
    updatedAt: formatInstant(row.updatedAt ?? row.uploadedAt),
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
