import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { zipOf } from './zip.ts';

describe('a ZIP archive', () => {
  const many = async function* (count: number) {
    for (let index = 0; index < count; index += 1) {
      yield { name: `f/${index}`, source: Buffer.from(String(index)), date: 0, store: true };
    }
  };

  it('is a ZIP64 if it has more files than the old format can count', { tags: ['keeping.export.1'] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-zip64-'));
    const file = join(folder, 'many.zip');
    await writeFile(
      file,
      zipOf(many(66_000), () => undefined),
    );
    const zip = await openPromise(file, { lazyEntries: true });
    expect(zip.entryCount).toBe(66_000);
    zip.close();
    await rm(folder, { recursive: true });
  });

  it('is generated only as fast as it is read', async () => {
    let made = 0;
    const large = async function* () {
      for (; made < 200; made += 1) yield { name: `${made}`, source: Buffer.alloc(1024 * 1024), date: 0, store: true };
    };
    const archive = zipOf(large(), () => undefined);
    const reader = archive[Symbol.asyncIterator]();
    await reader.next();
    await new Promise((done) => setImmediate(done));
    expect(made).toBeLessThan(20);
    await reader.return?.();
    await expect.poll(() => archive.destroyed).toBe(true);
  });

  it("is aborted if a file can't be read, so that nobody mistakes it for a complete one", async () => {
    const errors: unknown[] = [];
    const failing = async function* () {
      yield { name: 'a', source: Buffer.from('a'), date: 0 };
      throw new Error('the store is away');
    };
    const archive = zipOf(failing(), (error) => errors.push(error));
    await expect(Array.fromAsync(archive)).rejects.toThrow('the store is away');
    expect(errors).toHaveLength(1);
  });
});
