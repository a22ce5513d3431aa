import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Entry, exifBomb, exifOf, exifWith, TAG } from '../../tests/support/image-metadata.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import { MAX_EXIF_BYTES } from './exif-block.ts';
import { MAX_TEXT_BYTES, readExifTexts } from './exif-texts.ts';

/** A view that counts the bytes that are read. */
class CountingView extends DataView<ArrayBuffer> {
  bytesRead = 0;
  furthest = 0;
  #count(at: number, length: number): void {
    this.bytesRead += length;
    this.furthest = Math.max(this.furthest, at + length);
  }
  override getUint8(at: number): number {
    this.#count(at, 1);
    return super.getUint8(at);
  }
  override getUint16(at: number, isLittle?: boolean): number {
    this.#count(at, 2);
    return super.getUint16(at, isLittle);
  }
  override getUint32(at: number, isLittle?: boolean): number {
    this.#count(at, 4);
    return super.getUint32(at, isLittle);
  }
}

const viewOf = (bytes: Uint8Array) => new CountingView(new Uint8Array(bytes).buffer);
const read = (bytes: Uint8Array) => readExifTexts(viewOf(bytes));

/** Each entry is read once in each of two lists, and each text once. */
const MOST_READ = 2 * MAX_EXIF_BYTES + 2 * 7 * (MAX_TEXT_BYTES + 10) + 100;

/** Reads a block, and checks how much was read. */
function readCounted(bytes: Uint8Array) {
  const view = viewOf(bytes);
  const texts = readExifTexts(view);
  expect(view.bytesRead).toBeLessThan(Math.min(MOST_READ, 4 * bytes.length + 2 * 7 * (MAX_TEXT_BYTES + 10) + 100));
  expect(view.furthest).toBeLessThanOrEqual(Math.min(bytes.length, MAX_EXIF_BYTES));
  for (const text of Object.values(texts)) expect(text.length).toBeLessThanOrEqual(MAX_TEXT_BYTES);
  return texts;
}

const TEXTS = {
  DateTimeOriginal: '2024:06:15 12:00:00\0\0',
  DateTimeDigitized: '2024:06:15 12:00:01\0',
  OffsetTimeOriginal: '+02:00\0',
  OffsetTimeDigitized: 'Z\0',
  SubSecTimeOriginal: '5\0',
};

describe('the texts of an EXIF block', () => {
  it.each([true, false])(
    'are read in both byte orders, exactly as they are in the file (little-endian: %s)',
    (isLittle) => {
      const block = exifWith({ ...TEXTS, DateTime: '2025:01:01 00:00:00\0' }, { isLittle });
      expect(read(block)).toEqual(TEXTS);
      expect(read(Buffer.concat([Buffer.from('Exif\0\0'), block]))).toEqual(TEXTS);
    },
  );

  it('are read from a photograph as sharp writes it', async () => {
    const { exif } = await sharp(await makeJpeg({ takenAt: '2026:07:04 21:30:15', offset: '+09:00' })).metadata();
    expect(readCounted(exif ?? Buffer.alloc(0))).toMatchObject({
      DateTimeOriginal: '2026:07:04 21:30:15\0',
      OffsetTimeOriginal: '+09:00\0',
    });
  });

  it('are read from the first list if the list of the photograph has none', () => {
    const entry = { tag: TAG.OffsetTimeOriginal, type: 2, count: 2, value: 0x5a };
    expect(read(exifOf([entry]))).toEqual({ OffsetTimeOriginal: 'Z\0' });
  });

  it('are read from the first 64 KB only', { tags: ['memories.pictures.10'] }, () => {
    const block = exifWith(TEXTS);
    const far = Buffer.concat([block.subarray(0, 4), Buffer.alloc(MAX_EXIF_BYTES), block.subarray(4)]);
    far.writeUInt32LE(MAX_EXIF_BYTES + 8, 4);
    expect(readCounted(far)).toEqual({});
    expect(readCounted(exifWith(TEXTS, { bytes: 5_000_000 }))).toEqual(TEXTS);
  });

  const photoList = (value: number): Entry => ({ tag: TAG.PhotoList, type: 4, count: 1, value });
  it.each([
    ['a list that is its own next one', exifOf([], { next: 8 })],
    ['a list of the photograph that is the first list', exifOf([photoList(8)])],
    ['more entries than there are bytes', exifOf([], { count: 65_535, bytes: 100 })],
    ['a list behind the end', exifOf([photoList(0xffff_fff0)])],
    ['a text of 4 GB', exifOf([{ tag: TAG.DateTimeOriginal, type: 2, count: 0xffff_ffff, value: 0xffff_fff0 }])],
    ['thousands of entries that claim the whole block', exifBomb()],
    ['thousands of entries in a block of megabytes', exifBomb({ entries: 60_000, bytes: 5_000_000 })],
    ['nothing', Buffer.alloc(0)],
    ['a start alone', Buffer.from('II*\0')],
    ['other bytes', Buffer.from('nonsense')],
  ])('are harmless in a block with %s', { tags: ['memories.pictures.10'] }, (_, block) => {
    expect(Object.values(readCounted(block)).join('')).toBe('');
  });

  it('never take long or fail: lists with loops, overlaps and huge counts', { tags: ['memories.pictures.10'] }, () => {
    const number = fc.oneof(fc.nat(200), fc.nat(70_000), fc.nat(0xffff_ffff));
    const tag = fc.oneof(fc.constantFrom(...Object.values(TAG)), fc.nat(0xffff));
    const entry = fc.record({ tag, type: fc.nat(14), count: number, value: number });
    const options = fc.record({ isLittle: fc.boolean(), next: number, bytes: fc.nat(70_000), count: fc.nat(0xffff) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 300 }), options, (entries, form) => {
        readCounted(exifOf(entries, form));
      }),
      { numRuns: 500 },
    );
  });

  it('never take long or fail: blocks of photographs with changed bytes', {
    tags: ['memories.pictures.10'],
  }, async () => {
    const { exif } = await sharp(
      await makeJpeg({ takenAt: '2026:07:04 21:30:15', offset: '+09:00', gps: { latitude: 41.9, longitude: 12.5 } }),
    ).metadata();
    const blocks = [exif ?? Buffer.alloc(0), exifWith(TEXTS), exifWith(TEXTS, { isLittle: false, bytes: 3_000 })];
    const change = fc.record({ at: fc.nat(400), byte: fc.oneof(fc.constantFrom(0, 1, 8, 0xff), fc.nat(255)) });
    fc.assert(
      fc.property(
        fc.constantFrom(...blocks),
        fc.array(change, { maxLength: 12 }),
        fc.nat(3_000),
        (block, changes, cut) => {
          const changed = Buffer.from(block);
          for (const { at, byte } of changes) changed[at % changed.length] = byte;
          readCounted(changed.subarray(0, Math.max(0, changed.length - cut)));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
