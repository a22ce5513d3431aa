import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Files } from '../../../base/server/files/files.ts';
import { writeDurably } from '../../../base/server/files/write-durably.ts';
import { typeOfRow } from '../../../memories/server/to-memory.ts';
import type { BackupPhotograph } from '../../manifest.ts';

/** Copies a photograph of a backup into the store. @returns false if it has changed since it was written */
export async function copyToStore(files: Files, path: string, photograph: BackupPhotograph): Promise<boolean> {
  const { name } = photograph;
  const temporary = files.temporary();
  try {
    if ((await writeDurably(temporary, () => createReadStream(path), photograph)) === null) return false;
    await files.put(name, temporary, typeOfRow({ fileExtension: extname(name) }));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}
