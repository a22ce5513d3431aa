import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ZodError } from 'zod';
import { isMissing } from '../../../base/server/files/missing-or-unreadable.ts';
import { explainFault } from '../../../base/server/process/explain-fault.ts';
import { parseStory, type ReadStory } from '../../parse-story.ts';
import { BackupError } from '../backup/backup-error.ts';

/** Largest accepted `story.json`, in bytes. */
const MAX_STORY_BYTES = 256 * 1024 * 1024;
/** Most entries, which are held in memory; far more than an album has. */
const MAX_ENTRIES = 1_000_000;
const STORY_FILE = 'data/story.json';
const PHOTOGRAPHS = 'photos/';

/** Reads the ZIP of an export. Names in the archive are never used as paths on disk. */
export class ExportArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws BackupError if there is no such file, if it isn't a ZIP, or if its list of files is invalid */
  static async open(file: string): Promise<ExportArchive> {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
      if (isMissing(error)) throw new BackupError(`There is no file ${file}.`);
      // The disk refuses or fails, which says nothing about the file.
      if (explainFault(error) !== null) throw error;
      throw new BackupError('This file isn’t a readable ZIP archive.');
    });
    try {
      return new ExportArchive(zip, await entriesOf(zip));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  /** The declared size of a file in bytes; null if there is no such file. */
  sizeOf(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null;
  }

  /**
   * Streams a file. The stream fails if it doesn't have the declared size.
   * @throws BackupError if there is no such file
   */
  read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw new BackupError(`${name} is not in the archive.`);
    return this.#zip.openReadStreamPromise(entry);
  }

  /**
   * Reads the story.
   * @param now milliseconds; when it was exported if it doesn't say so itself
   * @throws BackupError if there is no story, or the couple or a partner can't be stored
   */
  async story(now: number): Promise<ReadStory> {
    const size = this.sizeOf(STORY_FILE);
    if (size === null) throw new BackupError('This archive isn’t an export of Our Love Story.');
    if (size > MAX_STORY_BYTES) throw new BackupError(`${STORY_FILE} is too large.`);
    const raw = toJson(await this.#text(STORY_FILE));
    try {
      return parseStory(raw, now);
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      const [issue] = error.issues;
      throw new BackupError(`${STORY_FILE} can’t be imported: ${issue?.path.join('.')}: ${issue?.message}`);
    }
  }

  async #text(name: string): Promise<string> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of await this.read(name)) pieces.push(piece as Buffer);
    } catch (error) {
      throw new BackupError(`${name} can’t be unpacked: ${error instanceof Error ? error.message : String(error)}.`);
    }
    return Buffer.concat(pieces).toString();
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw new BackupError('The archive has too many files.');
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry;
      if (fileName !== STORY_FILE && !fileName.startsWith(PHOTOGRAPHS)) continue;
      if (entries.has(fileName)) throw new BackupError(`The archive has two files named ${fileName}.`);
      entries.set(fileName, entry);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The archive is damaged: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return entries;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupError(`${STORY_FILE} isn’t valid JSON.`);
  }
}
