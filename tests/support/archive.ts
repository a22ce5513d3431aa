import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { zipOf } from '../../src/keeping/server/export/zip.ts';

/** Every file of an archive. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry))));
  }
  zip.close();
  return files;
}

/** Writes an archive of these files, which may have the same name twice. */
export async function zipTo(path: string, files: Iterable<readonly [name: string, bytes: Buffer]>): Promise<void> {
  const entries = async function* () {
    for (const [name, source] of files) yield { name, source, date: 0 };
  };
  await pipeline(
    zipOf(entries(), () => undefined),
    createWriteStream(path),
  );
}

/** A photograph's place in `data/story.json`, as far as tests change it. */
export interface ExportedMemory {
  id: string;
  file: string | null;
  fileName: string;
  fileExtension: string;
  caption: string | null;
  fileSizeBytes: number;
  sha256: string;
  changed: { bytes: number; sha256: string } | null;
}

/** `data/story.json`, as far as tests change it. */
export interface ExportedStory {
  couple: { id: string; timeZone: string };
  partners: { id: string; email: string; displayName: string }[];
  dateIdeas: { id: string; title: string; category: string }[];
  plannedDates: { id: string; dateIdeaId: string; plannedDateTime: string; notes: string | null }[];
  memories: ExportedMemory[];
}

export function readStoryJson(files: ReadonlyMap<string, Buffer>): ExportedStory {
  return JSON.parse((files.get('data/story.json') ?? Buffer.alloc(0)).toString()) as ExportedStory;
}

export function sizeAndHash(bytes: Buffer): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
