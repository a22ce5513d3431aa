import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads every file in a folder, recursively. */
export async function contentsOfFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (path) => [path, (await readFile(path)).toString('base64')] as const)),
  );
}
