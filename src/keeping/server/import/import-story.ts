import { open, rm } from 'node:fs/promises';
import { emailKey } from '../../../auth/rules.ts';
import { isErased } from '../../../auth/server/couple/deletion-store.ts';
import { hashRandomPassword } from '../../../auth/server/recovery/admin.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { watchCommit } from '../../../base/server/commit-outcome.ts';
import type { Db, Writer } from '../../../base/server/db/db.ts';
import { sameDigest, writeDurably } from '../../../base/server/files/durable-file.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { digestOfStored } from '../../../base/server/files/stored-file.ts';
import { withLease } from '../../../base/server/lease.ts';
import { formatSize } from '../../../base/text.ts';
import { BROKEN_PHOTO, FILE_TOO_LARGE, INVALID_TYPE, memoryLimits } from '../../../memories/rules.ts';
import { typeOfRow } from '../../../memories/server/memory.ts';
import { storedName } from '../../../memories/server/names.ts';
import { HEAD_LENGTH, typeOf } from '../../../memories/server/pictures/photo-type.ts';
import { type InspectedPhoto, inspectPhoto } from '../../../memories/server/pictures/picture.ts';
import { takeStrays } from '../../../memories/server/sweep/strays.ts';
import { restartTrash } from '../../../memories/server/trash-store.ts';
import type { Story, StoryMemory } from '../../story.ts';
import { storyFault } from '../../story-rules.ts';
import { BackupError } from '../backup/backup-error.ts';
import { recordDamagedFile } from '../integrity/damaged-file-store.ts';
import { writeStory } from '../story-store.ts';
import { ExportArchive } from './export-archive.ts';

/** Where to import an export. */
export interface ImportTarget {
  readonly db: Db;
  readonly files: Files;
  readonly now: () => number;
  /** Whether to abort. */
  readonly isStopped?: () => boolean;
}

/** The result of an import. */
export interface Imported {
  readonly coupleId: CoupleId;
  readonly story: Story;
  /** Memories that couldn't be imported, and why. */
  readonly missing: readonly { memory: StoryMemory; reason: string }[];
  /** Memories whose photograph had already changed when it was exported, and was imported as it was. */
  readonly changed: readonly StoryMemory[];
}

/**
 * Imports an export: validates the story by the app's rules, stores the photographs, each checked against its hash and
 * inspected like an upload, then inserts all rows in one transaction. The partners have no password yet. A failed
 * import is undone; a killed one, and one whose commit the database has not confirmed, can be started again.
 * @throws BackupError if the file is no export or damaged, if the app's rules refuse its content, or if the couple or
 *   one of the partners already exists; nothing is imported then. Also if the commit is not confirmed.
 */
export async function importStory(target: ImportTarget, file: string): Promise<Imported> {
  const archive = await ExportArchive.open(file);
  try {
    const story = await archive.story();
    const fault = storyFault(story, target.now());
    if (fault !== null) throw new BackupError(`data/story.json can’t be imported: ${fault}.`);
    // Two imports of the same story would undo each other's photographs.
    const imported = await withLease({ db: target.db, now: target.now }, 'import', async () => {
      await assertNotPresent(target.db, story);
      return new Import(target, archive, story).run();
    });
    if (imported === null) {
      throw new BackupError('Another import is running. If it was killed, try again in two minutes.');
    }
    return imported;
  } finally {
    archive.close();
  }
}

async function coupleExists({ read }: Db, coupleId: CoupleId): Promise<boolean> {
  return (await read.selectFrom('couples').select('id').where('id', '=', coupleId).executeTakeFirst()) !== undefined;
}

async function assertNotPresent(db: Db, { couple, partners }: Story): Promise<void> {
  if (await coupleExists(db, couple.id as CoupleId)) throw new BackupError('This story is already here.');
  if (await isErased(db.read, couple.id as CoupleId)) {
    throw new BackupError('The files of this story are still being deleted. Try again in a few minutes.');
  }
  for (const { email } of partners) {
    const taken = await db.read.selectFrom('users').select('id').where('emailKey', '=', emailKey(email)).execute();
    if (taken.length > 0) throw new BackupError(`The email ${email} is already in use here.`);
  }
}

const UNCONFIRMED =
  'The database has not confirmed the import, so it may be complete. Nothing is removed: run it again. If the story is already here then, `npm run admin -- reset-password EMAIL` prints a link for each partner.';

/** A running import. */
class Import {
  readonly #target: ImportTarget;
  readonly #archive: ExportArchive;
  readonly #story: Story;
  readonly #coupleId: CoupleId;
  /** Files that this import has added. */
  readonly #stored: string[] = [];
  readonly #imported: StoryMemory[] = [];
  readonly #changed: StoryMemory[] = [];
  readonly #missing: { memory: StoryMemory; reason: string }[] = [];

  constructor(target: ImportTarget, archive: ExportArchive, story: Story) {
    this.#target = target;
    this.#archive = archive;
    this.#story = story;
    this.#coupleId = story.couple.id as CoupleId;
  }

  async run(): Promise<Imported> {
    const passwordHash = await hashRandomPassword();
    const writing = watchCommit((tx) => this.#write(tx, passwordHash));
    try {
      // A killed import may have stored photographs that are due to be deleted.
      await takeStrays(this.#target, this.#coupleId);
      for (const memory of this.#story.memories) await this.#importMemory(memory);
      const story = await this.#target.db.write(writing.work);
      return { coupleId: this.#coupleId, story, missing: this.#missing, changed: this.#changed };
    } catch (error) {
      if (!writing.isRolledBack(error)) throw new BackupError(UNCONFIRMED, { cause: error });
      await this.#undo();
      // A partner may have registered since the first check.
      if (!(error instanceof BackupError)) await assertNotPresent(this.#target.db, this.#story);
      throw error;
    }
  }

  async #write(tx: Writer, passwordHash: string): Promise<Story> {
    const story = { ...this.#story, memories: this.#imported };
    const id = await writeStory(tx, story, { emailKey, passwordHash });
    // An old export's trash would be emptied within the hour.
    await restartTrash(tx, id, this.#target.now());
    const foundAt = this.#target.now();
    for (const { fileName } of this.#changed) await recordDamagedFile(tx, id, { fileName, kind: 'changed', foundAt });
    return story;
  }

  async #importMemory(memory: StoryMemory): Promise<void> {
    if (this.#target.isStopped?.()) throw new BackupError('The import was interrupted. Nothing was imported.');
    if (memory.file === null) {
      this.#missing.push({ memory, reason: 'It was already lost on the server that made the export.' });
      return;
    }
    const temporary = this.#target.files.temporary();
    try {
      await this.#extract(memory, memory.file, temporary);
      if (memory.changed === null) await this.#importOriginal(memory, memory.file, temporary);
      else await this.#importChanged(memory, temporary);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Unpacks one photograph, reading no more than its declared size. */
  async #extract({ fileSizeBytes, sha256, changed }: StoryMemory, file: string, path: string): Promise<void> {
    const expected = changed ?? { bytes: fileSizeBytes, sha256 };
    const size = this.#archive.sizeOf(file);
    if (size === null) throw new BackupError(`${file} is not in the archive. Nothing was imported.`);
    if (size > memoryLimits.fileSizeBytes) {
      throw new BackupError(`${file} has ${formatSize(size)}. ${FILE_TOO_LARGE} Nothing was imported.`);
    }
    const written =
      size === expected.bytes
        ? await writeDurably(path, () => this.#archive.read(file), expected).catch(nullIfCorrupt)
        : null;
    if (written === null) {
      throw new BackupError(`${file} has changed since it was exported. Nothing was imported.`);
    }
  }

  async #importOriginal(memory: StoryMemory, file: string, path: string): Promise<void> {
    const inspected = await this.#inspect(memory, path);
    if (typeof inspected === 'string') throw new BackupError(`${file}: ${inspected} Nothing was imported.`);
    await this.#store(memory, path);
    const { width, height, thumbHash } = inspected;
    this.#imported.push({ ...memory, width, height, thumbHash });
  }

  /** Imports a changed photograph as it is, even if it is broken: the couple has no better one. */
  async #importChanged(memory: StoryMemory, path: string): Promise<void> {
    const inspected = await this.#inspect(memory, path);
    if (typeof inspected === 'string' && inspected !== BROKEN_PHOTO && inspected !== INVALID_TYPE) {
      this.#missing.push({ memory, reason: inspected });
      return;
    }
    const isOriginal = await this.#store(memory, path);
    this.#imported.push(memory);
    if (!isOriginal) this.#changed.push(memory);
  }

  /** Inspects a photograph like an upload. Returns the result, or the reason to refuse it. */
  async #inspect(memory: StoryMemory, path: string): Promise<InspectedPhoto | string> {
    const type = typeOf(await headOf(path));
    if (type === null || type !== typeOfRow(memory)) return INVALID_TYPE;
    try {
      return await inspectPhoto(path, type, this.#story.couple.timeZone);
    } catch (error) {
      if (error instanceof Refusal && error.status === 400) return error.message;
      throw error;
    }
  }

  /** Stores a photograph, unless its original is already there. @returns whether it was */
  async #store(memory: StoryMemory, path: string): Promise<boolean> {
    const { files } = this.#target;
    const name = storedName(this.#coupleId, memory.fileName, 'original');
    const there = await digestOfStored(files, name);
    if (there !== null && sameDigest(there, { bytes: memory.fileSizeBytes, sha256: memory.sha256 })) return true;
    // Noted before `put`, which may fail after it has stored the file.
    if (there === null) this.#stored.push(name);
    await files.put(name, path, typeOfRow(memory));
    return false;
  }

  /** Removes the files that were added, unless the story is here by now. Call it only if nothing was committed. */
  async #undo(): Promise<void> {
    const { db, files } = this.#target;
    try {
      if (this.#stored.length === 0 || (await coupleExists(db, this.#coupleId))) return;
      for (const name of this.#stored) await files.remove(name);
    } catch {
      // The first error is the one to report. A repeated import finds these files and continues.
    }
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns null for an error of the archive, and rethrows others, such as a full disk. */
function nullIfCorrupt(error: unknown): null {
  if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z_')) throw error;
  return null;
}
