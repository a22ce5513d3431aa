import { open, rm } from 'node:fs/promises';
import { emailKey } from '../../../auth/rules.ts';
import { deleteRows, isErased } from '../../../auth/server/couple/deletion-store.ts';
import { NO_PASSWORD } from '../../../auth/server/sign-in/passwords.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Db, Writer } from '../../../base/server/db/db.ts';
import { watchCommit } from '../../../base/server/db/watch-commit.ts';
import { isSameDigest } from '../../../base/server/files/digest.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { digestOfStored } from '../../../base/server/files/read-stored.ts';
import { assertOwnStore } from '../../../base/server/files/store-identity.ts';
import { writeDurably } from '../../../base/server/files/write-durably.ts';
import { type Lease, withLease } from '../../../base/server/jobs/lease.ts';
import { INVALID_TYPE } from '../../../memories/rules.ts';
import { type InspectedPhoto, inspectPhoto } from '../../../memories/server/pictures/inspect-photo.ts';
import { HEAD_LENGTH, photoTypeOf } from '../../../memories/server/pictures/photo-type.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import { typeOfRow } from '../../../memories/server/to-memory.ts';
import { partnersFault, settleStory } from '../../settle-story.ts';
import type { Story, StoryMemory } from '../../story.ts';
import { BackupError } from '../backup/backup-error.ts';
import { recordDamagedFile } from '../integrity/scrub-store.ts';
import { ExportArchive } from './export-archive.ts';
import { ImportedFiles } from './imported-files.ts';
import { writeAlbum, writePartners } from './write-story.ts';

/** Where to import an export. */
export interface ImportTarget {
  readonly db: Db;
  readonly files: Files;
  readonly now: () => number;
  /** Whether to abort. */
  readonly isStopped?: () => boolean;
}

/** A photograph, and what became of it. */
export interface ToldMemory {
  readonly memory: StoryMemory;
  /** A sentence. */
  readonly reason: string;
}

/** The result of an import. */
export interface Imported {
  readonly coupleId: CoupleId;
  readonly story: Story;
  /** Memories that couldn't be imported. */
  readonly missing: readonly ToldMemory[];
  /** Memories whose photograph has changed since its upload, and was imported as it is. */
  readonly changed: readonly ToldMemory[];
  /** A sentence on each row and photograph that the app's rules of today would refuse. */
  readonly notices: readonly string[];
}

/**
 * Imports an export: stores the photographs, each compared with its hash, then inserts the rows in batches, and last the
 * partners, without whom nobody sees the rest. What the app would refuse today is imported as far as it can be stored. The
 * partners have no password yet. A failed import is undone; a killed one, and one whose commit the database has not
 * confirmed, can be started again.
 * @throws BackupError if the file is no export, or if the couple or one of the partners already exists; nothing is imported
 *   then. Also if the commit is not confirmed.
 */
export async function importStory(target: ImportTarget, file: string): Promise<Imported> {
  const archive = await ExportArchive.open(file);
  try {
    const told = await archive.story(target.now());
    const fault = partnersFault(told.story);
    if (fault !== null) throw new BackupError(`data/story.json can’t be imported: ${fault}`);
    const { story, notices } = settleStory(told.story, target.now());
    // Two imports of the same story would undo each other's photographs.
    const imported = await withLease({ db: target.db, now: target.now }, 'import', async ({ isHeld }) => {
      await assertNotPresent(target.db, story);
      return new Import({ ...target, isHeld }, archive, story, [...told.notices, ...notices]).run();
    });
    if (imported === null) {
      throw new BackupError('Another import is running. If it was killed, try again in two minutes.');
    }
    return imported.result;
  } finally {
    archive.close();
  }
}

/** Whether the story is here. A killed import has left a couple without partners. */
async function isPresent({ read }: Db, coupleId: CoupleId): Promise<boolean> {
  return (
    (await read.selectFrom('users').select('id').where('coupleId', '=', coupleId).executeTakeFirst()) !== undefined
  );
}

async function assertNotPresent(db: Db, { couple, partners }: Story): Promise<void> {
  if (await isPresent(db, couple.id as CoupleId)) throw new BackupError('This story is already here.');
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

/** A running import. One that has lost its lease changes nothing more: another one, or the sweep, may be at the same files. */
class Import {
  readonly #target: ImportTarget & Pick<Lease, 'isHeld'>;
  readonly #archive: ExportArchive;
  readonly #story: Story;
  readonly #coupleId: CoupleId;
  readonly #files: ImportedFiles;
  readonly #imported: StoryMemory[] = [];
  readonly #changed: ToldMemory[] = [];
  readonly #missing: ToldMemory[] = [];
  readonly #notices: string[];

  constructor(
    target: ImportTarget & Pick<Lease, 'isHeld'>,
    archive: ExportArchive,
    story: Story,
    notices: readonly string[],
  ) {
    this.#target = target;
    this.#archive = archive;
    this.#story = story;
    this.#notices = [...notices];
    this.#coupleId = story.couple.id as CoupleId;
    this.#files = new ImportedFiles(target, this.#coupleId);
  }

  async run(): Promise<Imported> {
    const { db, now } = this.#target;
    let story = this.#story;
    const finishing = watchCommit((tx) => this.#finish(tx, story));
    try {
      await assertOwnStore(this.#target);
      // What a killed import has left: rows that nobody sees, and photographs that the sweep would remove.
      await db.write((tx) => deleteRows(tx, this.#coupleId));
      for (const memory of story.memories) await this.#importMemory(memory);
      await assertOwnStore(this.#target);
      story = { ...story, memories: this.#imported };
      await writeAlbum(db, story, now());
      await db.write(finishing.work);
      const [missing, changed, notices] = [this.#missing, this.#changed, this.#notices];
      return { coupleId: this.#coupleId, story, missing, changed, notices };
    } catch (error) {
      if (!finishing.isRolledBack(error)) throw new BackupError(UNCONFIRMED, { cause: error });
      await this.#undo();
      // A partner may have registered since the first check.
      if (!(error instanceof BackupError)) await assertNotPresent(db, this.#story);
      throw error;
    }
  }

  #assertGoesOn(): void {
    const { isHeld, isStopped } = this.#target;
    if (!isHeld() || isStopped?.()) throw new BackupError('The import was interrupted. Nothing was imported.');
  }

  async #finish(tx: Writer, story: Story): Promise<void> {
    this.#assertGoesOn();
    await writePartners(tx, story, NO_PASSWORD);
    await this.#files.settle(tx);
    const foundAt = this.#target.now();
    for (const { memory } of this.#changed) {
      await recordDamagedFile(tx, this.#coupleId, { fileName: memory.fileName, kind: 'changed', foundAt });
    }
  }

  async #importMemory(memory: StoryMemory): Promise<void> {
    this.#assertGoesOn();
    const temporary = this.#target.files.temporary();
    try {
      const reason = await this.#importPhotograph(memory, temporary);
      if (reason !== null) this.#missing.push({ memory, reason });
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Imports a photograph, if the archive has it. @returns why it doesn't, as a sentence */
  async #importPhotograph(memory: StoryMemory, temporary: string): Promise<string | null> {
    const { file, changed, fileSizeBytes, sha256 } = memory;
    if (file === null) return 'It was already lost on the server that made the export.';
    const size = this.#archive.sizeOf(file);
    if (size === null) return 'It is not in the archive.';
    const expected = changed ?? { bytes: fileSizeBytes, sha256 };
    if (size !== expected.bytes) return 'It has changed since it was exported.';
    // The archive ends the stream after the size that it declares.
    const found = await writeDurably(temporary, () => this.#archive.read(file)).catch(nullIfCorrupt);
    if (found === null) return 'It can’t be unpacked.';
    if (!isSameDigest(found, expected))
      await this.#importChanged(memory, temporary, 'It has changed since it was exported.');
    else if (changed === null) await this.#importOriginal(memory, file, temporary);
    else await this.#importChanged(memory, temporary, 'It was already damaged when it was exported.');
    return null;
  }

  /** Imports a photograph as it was uploaded, also if an upload of it would be refused today. */
  async #importOriginal(memory: StoryMemory, file: string, path: string): Promise<void> {
    const inspected = await this.#inspect(memory, path);
    await this.#store(memory, path);
    if (typeof inspected === 'string') {
      this.#notices.push(`${file}: ${inspected} It is imported as it is.`);
      this.#imported.push(memory);
      return;
    }
    const { width, height, thumbHash } = inspected;
    this.#imported.push({ ...memory, width, height, thumbHash });
  }

  /** Imports a changed photograph as it is, even if it is broken: the couple has no better one. */
  async #importChanged(memory: StoryMemory, path: string, reason: string): Promise<void> {
    const isOriginal = await this.#store(memory, path);
    this.#imported.push(memory);
    if (!isOriginal) this.#changed.push({ memory, reason });
  }

  /** Inspects a photograph like an upload. Returns the result, or the reason to refuse it. */
  async #inspect(memory: StoryMemory, path: string): Promise<InspectedPhoto | string> {
    const type = photoTypeOf(await headOf(path));
    if (type === null || type !== typeOfRow(memory)) return INVALID_TYPE;
    try {
      return await inspectPhoto(path, type, { zone: this.#story.couple.timeZone, now: this.#target.now() });
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
    if (there !== null && isSameDigest(there, { bytes: memory.fileSizeBytes, sha256: memory.sha256 })) return true;
    // What is there already is not this import's to remove.
    if (there === null) await this.#files.add(memory.fileName);
    await files.put(name, path, typeOfRow(memory));
    return false;
  }

  /** Removes the rows and the files that were added, unless the story is here by now. Call it only if nothing was committed. */
  async #undo(): Promise<void> {
    const { db, isHeld } = this.#target;
    try {
      if (!isHeld() || (await isPresent(db, this.#coupleId))) return;
      await db.write((tx) => deleteRows(tx, this.#coupleId));
      await this.#files.undo();
    } catch {
      // The first error is the one to report. The sweep removes these files, or a repeated import uses them.
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
