import readExif from 'exif-reader';
import { capturedAt, type PhotoTags } from '../../capture-time.ts';

/**
 * When a photograph was taken, in milliseconds UTC, or null where it does not say (contract 3, `takenAt`).
 * @param exif the block as sharp finds it
 * @param zone the couple's, for a photograph that gives no offset
 */
export function captureTime(exif: Buffer | undefined, zone: string): number | null {
  return exif === undefined ? null : capturedAt(photoTags(exif), zone);
}

function photoTags(exif: Buffer): PhotoTags {
  try {
    return readExif(exif).Photo;
  } catch {
    // A photograph with a broken description is a photograph all the same.
    return undefined;
  }
}
