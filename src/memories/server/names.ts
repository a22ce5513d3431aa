import { randomBytes } from 'node:crypto';
import type { CoupleId } from '../../base/ids.ts';
import { FORMATS, type MediaType, type Size } from '../rules.ts';

const PIECE_ENDING = '.piece';

/**
 * The names under which a photograph's files are stored: the original is `<stem>.jpg`, what is made of it
 * `<stem>.preview.webp` and `<stem>.thumbnail.webp`. The stem is random; no part of it is the uploader's.
 */
export function newStem(): string {
  return randomBytes(16).toString('hex');
}

export function fileNameOf(stem: string, type: MediaType): string {
  return stem + FORMATS[type];
}

export function stemOf(fileName: string): string {
  return fileName.slice(0, fileName.indexOf('.'));
}

/** Every file name that an original with this stem may have, for its type is known only from its bytes. */
export function possibleFileNames(stem: string): string[] {
  return Object.values(FORMATS).map((extension) => stem + extension);
}

/** Where one of a photograph's three sizes lies in the photo store. */
export function storedName(coupleId: CoupleId, fileName: string, size: Size): string {
  return `${coupleId}/${size === 'original' ? fileName : `${stemOf(fileName)}.${size}.webp`}`;
}

/** Everything that may lie in the photo store under a stem. */
export function allStoredNames(coupleId: CoupleId, stem: string): string[] {
  const made = (['preview', 'thumbnail'] as const).map((size) => storedName(coupleId, `${stem}.`, size));
  return [...possibleFileNames(stem).map((fileName) => `${coupleId}/${fileName}`), ...made];
}

/** Where a piece of a photograph lies until all of them are there. */
export function pieceName(coupleId: CoupleId, stem: string): string {
  return `${coupleId}/${stem}${PIECE_ENDING}`;
}

/** Where a file lies in the photo store: the folder of a couple bears its id. */
export function nameOf(coupleId: CoupleId, fileName: string): string {
  return `${coupleId}/${fileName}`;
}

/** The couple and the file name of a stored name. */
export function partsOf(name: string): { coupleId: CoupleId; fileName: string } {
  const [coupleId = '', fileName = ''] = name.split('/');
  return { coupleId: coupleId as CoupleId, fileName };
}
