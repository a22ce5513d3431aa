import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { zipOf } from '../../src/keeping/server/export/zip.ts';

/** Reads all files of a ZIP archive, by name. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry))));
  }
  zip.close();
  return files;
}

/** Writes a ZIP archive. Names may occur twice. */
export async function zipTo(path: string, files: Iterable<readonly [name: string, bytes: Buffer]>): Promise<void> {
  const entries = async function* () {
    for (const [name, source] of files) yield { name, source, date: 0 };
  };
  await pipeline(
    zipOf(entries(), () => undefined),
    createWriteStream(path),
  );
}

/** A photograph in `data/story.json`; only the fields that tests change. */
export interface ExportedMemory {
  id: string;
  file: string | null;
  fileName: string;
  fileExtension: string;
  caption: string | null;
  fileSizeBytes: number;
  sha256: string;
  changed: { bytes: number; sha256: string } | null;
  deletedAt: string | null;
}

/** `data/story.json`; only the fields that tests change. */
export interface ExportedStory {
  exportedBy?: string;
  couple: { id: string; timeZone: string };
  partners: { id: string; email: string; displayName: string }[];
  dateIdeas: { id: string; title: string; category: string; hearts: { mine: boolean; mutual: boolean } }[];
  plannedDates: { id: string; dateIdeaId: string | null; plannedDateTime: string; notes: string | null }[];
  memories: ExportedMemory[];
  notes: { plannedDateId: string; userId: string; text: string; hearts: number | null }[];
  leftNotes: { plannedDateId: string; text: string; hearts: number | null; writtenAt: string }[];
}

/** Parses `data/story.json` of an unzipped export. */
export function readStoryJson(files: ReadonlyMap<string, Buffer>): ExportedStory {
  return JSON.parse((files.get('data/story.json') ?? Buffer.alloc(0)).toString()) as ExportedStory;
}

/** The size and SHA-256 of a file, as an export records them. */
export function sizeAndHash(bytes: Buffer): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
