import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ThumbnailCache } from './thumbnails.ts';

const MEGABYTE = 1024 * 1024;

it('caches the most recently used thumbnails, and never more than 16 MB', {
  tags: ['memories.sending.3'],
}, async () => {
  let reads = 0;
  const one = Buffer.alloc(MEGABYTE / 8, 7);
  const thumbnails = new ThumbnailCache({
    read: async () => {
      reads += 1;
      return Readable.from([one.subarray(0, 1000), one.subarray(1000)]);
    },
  });
  const names = Array.from({ length: 128 }, (_, n) => `couple/${n}`);
  for (const name of names) expect((await thumbnails.read(name, one.length))?.equals(one)).toBe(true);
  expect(names.every((name) => thumbnails.get(name))).toBe(true);
  // The first was used again, so the second is evicted.
  for (const name of names.slice(1)) thumbnails.get(name);
  thumbnails.get('couple/0');
  await thumbnails.read('couple/more', one.length);
  expect(['couple/0', 'couple/1', 'couple/2', 'couple/more'].map((name) => thumbnails.get(name) !== undefined)).toEqual(
    [true, false, true, true],
  );
  expect(reads).toBe(129);
});

it('does not cache a large thumbnail', async () => {
  const thumbnails = new ThumbnailCache({ read: () => Promise.reject(new Error('It is streamed')) });
  expect(await thumbnails.read('couple/large', MEGABYTE)).toBeNull();
});
