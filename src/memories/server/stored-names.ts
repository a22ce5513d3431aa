import { randomBytes } from 'node:crypto';
import type { CoupleId } from '../../base/ids.ts';
import { FORMATS, type MediaType, type Size } from '../rules.ts';

const PART_EXTENSION = '.piece';

/**
 * A new random stem for the names of a photo's files: `<stem>.jpg` for the original, `<stem>.preview.webp` and
 * `<stem>.thumbnail.webp` for the images made from it. It contains nothing from the uploader.
 */
export function newStem(): string {
  return randomBytes(16).toString('hex');
}

export function fileNameOf(stem: string, type: MediaType): string {
  return stem + FORMATS[type];
}

/** The stem of a file name, or of a stem itself. */
export function stemOf(fileName: string): string {
  return fileName.split('.', 1)[0] ?? '';
}

/** Every file name that an original with this stem may have, depending on its type. */
export function possibleFileNames(stem: string): string[] {
  return Object.values(FORMATS).map((extension) => stem + extension);
}

/** The file names of the images that are made from an original. */
export function variantNames(stem: string): string[] {
  return [`${stem}.preview.webp`, `${stem}.thumbnail.webp`];
}

/** The stored name of one size of a photo. */
export function storedName(coupleId: CoupleId, fileName: string, size: Size): string {
  return `${coupleId}/${size === 'original' ? fileName : `${stemOf(fileName)}.${size}.webp`}`;
}

/** Every name that the photo store may have for a pending file: all names of a stem, or that of one file. */
export function pendingNames(coupleId: CoupleId, pending: string): string[] {
  const names = pending.includes('.') ? [pending] : [...possibleFileNames(pending), ...variantNames(pending)];
  return names.map((name) => nameOf(coupleId, name));
}

/** The stored name of a part of a resumable upload. */
export function partName(coupleId: CoupleId, stem: string): string {
  return `${coupleId}/${stem}${PART_EXTENSION}`;
}

/** The stored name of a file: the couple's id, then the file name. */
export function nameOf(coupleId: CoupleId, fileName: string): string {
  return `${coupleId}/${fileName}`;
}

/** Splits a stored name into the couple's id and the file name. */
export function partsOf(name: string): { coupleId: CoupleId; fileName: string } {
  const [coupleId = '', fileName = ''] = name.split('/');
  return { coupleId: coupleId as CoupleId, fileName };
}
