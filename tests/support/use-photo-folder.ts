import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { inspectPhoto } from '../../src/memories/server/pictures/inspect-photo.ts';
import { HEAD_LENGTH, photoTypeOf } from '../../src/memories/server/pictures/photo-type.ts';

export const NOW = Date.UTC(2026, 10, 26);
/** The context of an inspection in a script of `measureMemory`. */
export const CONTEXT = `{ zone: 'UTC', now: ${NOW} }`;

/** Gives a test file a folder to keep photographs in, and inspects them there. */
export function usePhotoFolder() {
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-pictures-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const pathOf = (name: string) => join(folder, name);
  const saved = async (bytes: Uint8Array) => {
    files += 1;
    const path = pathOf(`${files}.bin`);
    await writeFile(path, bytes);
    return path;
  };
  const judge = async (bytes: Buffer, zone = 'UTC') => {
    const type = photoTypeOf(bytes.subarray(0, HEAD_LENGTH));
    if (type === null) throw new Error('none of the four');
    return inspectPhoto(await saved(bytes), type, { zone, now: NOW });
  };
  return { pathOf, saved, judge };
}
