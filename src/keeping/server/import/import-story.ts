import { open, rm } from 'node:fs/promises';
import { emailKey } from '../../../auth/rules.ts';
import { openErasures } from '../../../auth/server/couple/deletion-store.ts';
import { unknownPassword } from '../../../auth/server/recovery/admin.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Db } from '../../../base/server/db/db.ts';
import { FileMissing, type Files } from '../../../base/server/files/files.ts';
import { saveScheduledJob, takeJobLease } from '../../../base/server/job-store.ts';
import { formatSize } from '../../../base/text.ts';
import { MINUTE } from '../../../base/time.ts';
import { BROKEN_PHOTO, FILE_TOO_LARGE, INVALID_TYPE, memoryLimits } from '../../../memories/rules.ts';
import { typeOfRow } from '../../../memories/server/memory.ts';
import { storedName } from '../../../memories/server/names.ts';
import { HEAD_LENGTH, type InspectedPhoto, inspectPhoto, typeOf } from '../../../memories/server/pictures/picture.ts';
import type { Story, StoryMemory } from '../../story.ts';
import { storyFault } from '../../story-rules.ts';
import { BackupError } from '../backup/backup-error.ts';
import { digestOf, type FileDigest, sameDigest, writeDurably } from '../durable-file.ts';
import { recordDamagedFile } from '../integrity/damaged-file-store.ts';
import { writeStory } from '../story-store.ts';
import { ExportArchive } from './export-archive.ts';

/** Where a story is brought back. */
export interface ImportTarget {
  readonly db: Db;
  readonly files: Files;
  readonly now: () => number;
  /** Whether it is to be broken off. */
  readonly isStopped?: () => boolean;
}

/** What was brought back. */
export interface Imported {
  readonly coupleId: CoupleId;
  readonly story: Story;
  /** Memories that could not be brought back, and why. */
  readonly missing: readonly { memory: StoryMemory; reason: string }[];
  /** Memories whose photograph had changed already when it was exported, and was brought back as it was then. */
  readonly changed: readonly StoryMemory[];
}

const LEASE_MS = 2 * MINUTE;
const RENEW_EVERY_MS = MINUTE / 2;

/**
 * Brings an export back: first everything is judged as the app would judge it, then come the photographs, each held
 * against its hash and judged as an upload is, then all rows in one transaction. The partners have no password yet.
 * What fails is taken back; after a kill it can be begun again.
 * @throws BackupError where the file is no export or not whole, where our rules refuse what it holds, or where the
 *   story or somebody of it is here already; nothing was brought back then
 */
export async function importStory(target: ImportTarget, file: string): Promise<Imported> {
  const archive = await ExportArchive.open(file);
  try {
    const told = await archive.story();
    const fault = storyFault(told, target.now());
    if (fault !== null) throw new BackupError(`data/story.json can not be brought back: ${fault}.`);
    return await withImportLease(target, async () => {
      await assertNotPresent(target.db, told);
      return new Import(target, archive, told).run();
    });
  } finally {
    archive.close();
  }
}

/** Runs one import at a time: two of the same story would take back each other's photographs. */
async function withImportLease<T>({ db, now }: ImportTarget, work: () => Promise<T>): Promise<T> {
  const owner = await db.write((tx) => takeJobLease(tx, 'import', now(), now() + LEASE_MS));
  if (owner === null) {
    throw new BackupError('Another import is under way. If it was killed, please try again in two minutes.');
  }
  const hold = (heldUntil: number) => db.write((tx) => saveScheduledJob(tx, 'import', { heldUntil, owner }));
  const renewal = setInterval(() => {
    // The next one tries again; four in a row have to fail before another import may begin.
    hold(now() + LEASE_MS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  renewal.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // What the work threw is what counts; the lease ends by itself.
    await hold(0).catch(() => undefined);
  }
}

async function coupleExists({ read }: Db, coupleId: CoupleId): Promise<boolean> {
  return (await read.selectFrom('couples').select('id').where('id', '=', coupleId).executeTakeFirst()) !== undefined;
}

async function assertNotPresent(db: Db, { couple, partners }: Story): Promise<void> {
  if (await coupleExists(db, couple.id as CoupleId)) throw new BackupError('This story is here already.');
  if ((await openErasures(db.read)).includes(couple.id as CoupleId)) {
    throw new BackupError('The files of this story are still being deleted here. Try again in a few minutes.');
  }
  for (const { email } of partners) {
    const taken = await db.read.selectFrom('users').select('id').where('emailKey', '=', emailKey(email)).execute();
    if (taken.length > 0) throw new BackupError(`Somebody has the email ${email} here already.`);
  }
}

/** One import, which is the only one. */
class Import {
  readonly #target: ImportTarget;
  readonly #archive: ExportArchive;
  readonly #story: Story;
  readonly #coupleId: CoupleId;
  /** The files that were not there before. */
  readonly #stored: string[] = [];
  readonly #imported: StoryMemory[] = [];
  readonly #changed: StoryMemory[] = [];
  readonly #missing: { memory: StoryMemory; reason: string }[] = [];

  constructor(target: ImportTarget, archive: ExportArchive, told: Story) {
    this.#target = target;
    this.#archive = archive;
    this.#story = told;
    this.#coupleId = told.couple.id as CoupleId;
  }

  async run(): Promise<Imported> {
    try {
      for (const memory of this.#story.memories) await this.#importMemory(memory);
      const passwordHash = await unknownPassword();
      const story = { ...this.#story, memories: this.#imported };
      const { db, now } = this.#target;
      const coupleId = await db.write(async (tx) => {
        const id = await writeStory(tx, story, { emailKey, passwordHash });
        for (const { fileName } of this.#changed) {
          await recordDamagedFile(tx, id, { fileName, kind: 'changed', foundAt: now() });
        }
        return id;
      });
      return { coupleId, story, missing: this.#missing, changed: this.#changed };
    } catch (error) {
      await this.#undo();
      // Somebody may have come in the meantime.
      if (!(error instanceof BackupError)) await assertNotPresent(this.#target.db, this.#story);
      throw error;
    }
  }

  async #importMemory(memory: StoryMemory): Promise<void> {
    if (this.#target.isStopped?.()) throw new BackupError('The import was broken off. Nothing was brought back.');
    if (memory.file === null) {
      this.#missing.push({ memory, reason: 'The server it comes from had lost it.' });
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

  /** Unpacks one photograph, and no more of it than was announced. */
  async #extract({ fileSizeBytes, sha256, changed }: StoryMemory, file: string, path: string): Promise<void> {
    const expected = changed ?? { bytes: fileSizeBytes, sha256 };
    const size = this.#archive.sizeOf(file);
    if (size === null) throw new BackupError(`${file} is not in the archive. Nothing was brought back.`);
    if (size > memoryLimits.fileSizeBytes) {
      throw new BackupError(`${file} has ${formatSize(size)}. ${FILE_TOO_LARGE} Nothing was brought back.`);
    }
    const written =
      size === expected.bytes
        ? await writeDurably(path, () => this.#archive.read(file), expected).catch(nullIfCorrupt)
        : null;
    if (written === null) {
      throw new BackupError(`${file} is not as it was when it was exported. Nothing was brought back.`);
    }
  }

  async #importOriginal(memory: StoryMemory, file: string, path: string): Promise<void> {
    const judged = await this.#inspect(memory, path);
    if (typeof judged === 'string') throw new BackupError(`${file}: ${judged} Nothing was brought back.`);
    await this.#store(memory, path);
    const { width, height, thumbHash } = judged;
    this.#imported.push({ ...memory, width, height, thumbHash });
  }

  /** One that is only broken is kept as it is: the couple knows that it is, and has no better one. */
  async #importChanged(memory: StoryMemory, path: string): Promise<void> {
    const judged = await this.#inspect(memory, path);
    if (typeof judged === 'string' && judged !== BROKEN_PHOTO && judged !== INVALID_TYPE) {
      this.#missing.push({ memory, reason: judged });
      return;
    }
    const isMended = await this.#store(memory, path);
    this.#imported.push(memory);
    if (!isMended) this.#changed.push(memory);
  }

  /** What an upload finds out about a photograph; or why it would be refused. */
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

  /** Stores a photograph, unless the original is there already. @returns whether it was */
  async #store(memory: StoryMemory, path: string): Promise<boolean> {
    const { files } = this.#target;
    const name = storedName(this.#coupleId, memory.fileName, 'original');
    const there = await measureStored(files, name);
    if (there !== null && sameDigest(there, { bytes: memory.fileSizeBytes, sha256: memory.sha256 })) return true;
    // Also where putting fails, for then nobody knows.
    if (there === null) this.#stored.push(name);
    await files.put(name, path, typeOfRow(memory));
    return false;
  }

  /** Removes what was stored; but never where the rows are there after all, and only the answer was lost. */
  async #undo(): Promise<void> {
    const { db, files } = this.#target;
    try {
      if (this.#stored.length === 0 || (await coupleExists(db, this.#coupleId))) return;
      for (const name of this.#stored) await files.remove(name);
    } catch {
      // What made the import fail is told. The same import, begun again, finds these files and goes on.
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

async function measureStored(files: Files, name: string): Promise<FileDigest | null> {
  try {
    return await digestOf(await files.read(name));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

/** Null where the archive itself is to blame; a full disk is not its fault. */
function nullIfCorrupt(error: unknown): null {
  if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z_')) throw error;
  return null;
}
