import readExif from 'exif-reader';
import { capturedAt, type PhotoTags } from '../../capture-time.ts';

/**
 * The capture time of a photo in milliseconds UTC, or null if unknown (contract 3, `takenAt`).
 * @param exif the EXIF block as sharp returns it
 * @param zone the couple's IANA zone, for a photo without an offset
 */
export function captureTime(exif: Buffer | undefined, zone: string): number | null {
  return exif === undefined ? null : capturedAt(photoTags(exif), zone);
}

function photoTags(exif: Buffer): PhotoTags {
  try {
    return readExif(exif).Photo;
  } catch {
    // Broken EXIF is no reason to refuse the photo.
    return undefined;
  }
}
