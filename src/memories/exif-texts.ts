import { MAX_EXIF_BYTES } from './exif-block.ts';

/** The tags that tell when a photograph was taken. */
const TAGS = {
  36_867: 'DateTimeOriginal',
  36_868: 'DateTimeDigitized',
  36_880: 'OffsetTime',
  36_881: 'OffsetTimeOriginal',
  36_882: 'OffsetTimeDigitized',
  37_521: 'SubSecTimeOriginal',
  37_522: 'SubSecTimeDigitized',
} as const;

/** Texts of an EXIF block as they are in the file, a character a byte, with everything that follows a text. */
export type ExifTexts = Readonly<Partial<Record<(typeof TAGS)[keyof typeof TAGS], string>>>;

/** No text has more: a date has 20 bytes. */
export const MAX_TEXT_BYTES = 64;
const ENTRY_BYTES = 12;
const PHOTO_LIST = 0x8769;

/**
 * Reads the texts that tell when a photograph was taken, and nothing else: from the first list of an EXIF block, and from
 * the list of the photograph that it points to. It reads each entry once, and of each kind of text the first, so broken or
 * malicious blocks take no longer than others. Never throws.
 * @param block at most its first 64 KB are read
 */
export function readExifTexts(block: DataView): ExifTexts {
  // A JPEG and some WebPs have 'Exif\0\0' in front.
  const start = textAt(block, 0, 4) === 'Exif' ? 6 : 0;
  const order = textAt(block, start, 2);
  if (order !== 'II' && order !== 'MM') return {};
  const list: List = { block, start, isLittle: order === 'II' };
  const first = readList(list, uint32(list, 4));
  return { ...first.texts, ...(first.photoList === null ? {} : readList(list, first.photoList).texts) };
}

/** Where the lists of a block are. Their offsets count from `start`. */
interface List {
  readonly block: DataView;
  readonly start: number;
  readonly isLittle: boolean;
}

function readList(list: List, at: number | null): { texts: ExifTexts; photoList: number | null } {
  const texts: Record<string, string> = {};
  let photoList: number | null = null;
  const count = at === null ? 0 : (uint16(list, at) ?? 0);
  for (let entry = (at ?? 0) + 2, left = count; left > 0; entry += ENTRY_BYTES, left -= 1) {
    const tag = uint16(list, entry);
    // The block ends.
    if (tag === null) break;
    if (tag === PHOTO_LIST) photoList ??= uint32(list, entry + 8);
    const name = TAGS[tag as keyof typeof TAGS];
    if (name !== undefined) texts[name] ??= entryText(list, entry);
  }
  return { texts, photoList };
}

/** The types of a text: ASCII and UTF-8. */
const TEXT_TYPES = new Set([2, 129]);

function entryText(list: List, entry: number): string {
  const length = uint32(list, entry + 4) ?? 0;
  if (!TEXT_TYPES.has(uint16(list, entry + 2) ?? 0)) return '';
  // A text of up to four bytes is in the entry itself.
  const at = length <= 4 ? entry + 8 : (uint32(list, entry + 8) ?? MAX_EXIF_BYTES);
  return textAt(list.block, list.start + at, Math.min(length, MAX_TEXT_BYTES));
}

function uint16({ block, start, isLittle }: List, at: number): number | null {
  return isWithin(block, start + at + 2) ? block.getUint16(start + at, isLittle) : null;
}

function uint32({ block, start, isLittle }: List, at: number): number | null {
  return isWithin(block, start + at + 4) ? block.getUint32(start + at, isLittle) : null;
}

function textAt(block: DataView, at: number, length: number): string {
  let text = '';
  for (let byte = at; byte < at + length && isWithin(block, byte + 1); byte += 1) {
    text += String.fromCharCode(block.getUint8(byte));
  }
  return text;
}

function isWithin(block: DataView, end: number): boolean {
  return end <= Math.min(block.byteLength, MAX_EXIF_BYTES);
}
