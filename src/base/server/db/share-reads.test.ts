import { expect, it } from 'vitest';
import { shareReads } from './share-reads.ts';

/** A read that the test ends, one after the other, in the order in which they began. */
function heldReads() {
  const begun: { readonly key: string; end(result: string): void; fail(error: Error): void }[] = [];
  const read = (key: string) =>
    new Promise<string>((resolve, reject) => {
      begun.push({ key, end: resolve, fail: reject });
    });
  return { read: shareReads(read), begun };
}

it('those who ask during a read share the next one, which begins when the first has ended', async () => {
  const { read, begun } = heldReads();
  const first = read('a');
  const others = [read('a'), read('a')];
  expect(begun).toHaveLength(1);
  begun[0]?.end('before');
  expect(await first).toBe('before');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end('after');
  expect(await Promise.all(others)).toEqual(['after', 'after']);
});

it('another key is read at once', () => {
  const { read, begun } = heldReads();
  void read('a');
  void read('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

it('a read that fails fails for those who share it, and the next one begins', async () => {
  const { read, begun } = heldReads();
  const first = read('a');
  const second = read('a');
  begun[0]?.fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end('found');
  expect(await second).toBe('found');
});
