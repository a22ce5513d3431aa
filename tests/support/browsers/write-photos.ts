import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeJpeg } from '../images.ts';

/**
 * Writes photographs of these names, the second one rotated by its EXIF data. Returns their paths.
 * @param taken when they were taken, in EXIF's format
 */
export async function writePhotos(names: readonly string[], taken: readonly string[] = []): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chosen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return Promise.all(
    names.map(async (name, n) => {
      const path = join(folder, `${name}.jpg`);
      const takenAt = taken[n];
      const options = { width: 1200, height: 800, seed: n + 1, orientation: n === 1 ? 6 : 1 };
      await writeFile(path, await makeJpeg({ ...options, ...(takenAt !== undefined && { takenAt }) }));
      return path;
    }),
  );
}
