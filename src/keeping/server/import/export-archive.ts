import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type Story, story } from '../../story.ts';
import { BackupError } from '../backup/backup-error.ts';

/** No story of two people is longer, in bytes; what claims to be is none. */
const MAX_STORY_BYTES = 256 * 1024 * 1024;
/** Far more than an album has; each is held in memory. */
const MAX_ENTRIES = 1_000_000;
const STORY_FILE = 'data/story.json';
const PHOTOGRAPHS = 'photos/';

/** An export, open to be read. Nothing is ever written under the names that it gives. */
export class ExportArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws BackupError where it is no archive, or its list of files can't be trusted */
  static async open(file: string): Promise<ExportArchive> {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => {
      throw new BackupError('This is no archive that can be read.');
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

  /** What the archive says of a file's size, in bytes; null where it has no such file. */
  sizeOf(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null;
  }

  /** A file's bytes: as many as announced, or the stream fails. */
  read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw new BackupError(`${name} is not in the archive.`);
    return this.#zip.openReadStreamPromise(entry);
  }

  /** @throws BackupError where there is no story, or one that the app itself would refuse */
  async story(): Promise<Story> {
    const size = this.sizeOf(STORY_FILE);
    if (size === null) throw new BackupError('This is no export of a love story.');
    if (size > MAX_STORY_BYTES) throw new BackupError(`${STORY_FILE} is too large to be read.`);
    const parsed = story.safeParse(toJson(await this.#text(STORY_FILE)));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new BackupError(`${STORY_FILE} can not be brought back: ${issue?.path.join('.')}: ${issue?.message}`);
  }

  async #text(name: string): Promise<string> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of await this.read(name)) pieces.push(piece as Buffer);
    } catch (error) {
      throw new BackupError(`${name} can not be unpacked: ${error instanceof Error ? error.message : String(error)}.`);
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
      if (entries.has(fileName)) throw new BackupError(`The archive has two files of the name ${fileName}.`);
      entries.set(fileName, entry);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The archive is not whole: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return entries;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupError(`${STORY_FILE} is no JSON.`);
  }
}
