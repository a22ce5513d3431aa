import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { emailKey } from '../../auth/rules.ts';
import { unknownPassword } from '../../auth/server/admin.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Db } from '../../base/server/db/db.ts';
import type { Files } from '../../base/server/files/files.ts';
import { typeOfRow } from '../../memories/server/memory.ts';
import { storedName } from '../../memories/server/names.ts';
import { type Story, type StoryMemory, story } from '../story.ts';
import { BackupError } from './backup-folder.ts';
import { writeStory } from './story-store.ts';
import { writeWhole } from './whole-file.ts';

/** No story of two people is longer, in bytes; what claims to be is none. */
const LONGEST_STORY = 512 * 1024 * 1024;

/** What was brought back. */
export interface Imported {
  readonly coupleId: CoupleId;
  readonly story: Story;
  /** Memories whose photograph the archive does not have. */
  readonly missing: readonly StoryMemory[];
}

/**
 * Brings an export back: the photographs first, each held against its hash, then everything in one transaction. The
 * partners have no password yet.
 * @throws BackupError where the file is no export or not whole, or where the story or somebody of it is here already
 */
export async function importStory({ db, files }: { db: Db; files: Files }, file: string): Promise<Imported> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new BackupError('This is no archive that can be read.');
  });
  try {
    const entries = await entriesOf(zip);
    const told = await readTold(zip, entries);
    await assertNotHere(db, told);
    const missing = told.memories.filter((memory) => memory.file === null);
    const kept = { ...told, memories: told.memories.filter((memory) => memory.file !== null) };
    for (const memory of kept.memories) await bring(files, zip, entries, told.couple.id as CoupleId, memory);
    const passwordHash = await unknownPassword();
    const coupleId = await db.write((tx) => writeStory(tx, kept, { emailKey, passwordHash }));
    return { coupleId, story: kept, missing };
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (error) {
    throw new BackupError(`The archive is not whole: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return entries;
}

async function readTold(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Story> {
  const entry = entries.get('data/story.json');
  if (!entry || entry.uncompressedSize > LONGEST_STORY) throw new BackupError('This is no export of a love story.');
  const pieces: Buffer[] = [];
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
  const parsed = story.safeParse(toJson(Buffer.concat(pieces).toString()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(`data/story.json can not be read: ${issue?.path.join('.')}: ${issue?.message}`);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupError('data/story.json is no JSON.');
  }
}

async function assertNotHere({ read }: Db, { couple, partners }: Story): Promise<void> {
  const here = await read
    .selectFrom('couples')
    .select('id')
    .where('id', '=', couple.id as CoupleId)
    .execute();
  if (here.length > 0) throw new BackupError('This story is here already.');
  for (const { email } of partners) {
    const taken = await read.selectFrom('users').select('id').where('emailKey', '=', emailKey(email)).execute();
    if (taken.length > 0) throw new BackupError(`Somebody has the email ${email} here already.`);
  }
}

/** Stores one photograph. */
async function bring(
  files: Files,
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  coupleId: CoupleId,
  memory: StoryMemory,
): Promise<void> {
  const entry = entries.get(memory.file ?? '');
  if (!entry) throw new BackupError(`${memory.file} is not in the archive. Nothing was brought back.`);
  const temporary = files.temporary();
  const wanted = { bytes: memory.fileSizeBytes, sha256: memory.sha256 };
  const open = (): Promise<Readable> => zip.openReadStreamPromise(entry);
  try {
    const written = await writeWhole(temporary, open, wanted).catch(orBroken);
    if (written === null) {
      throw new BackupError(`${memory.file} is not as it was when it was exported. Nothing was brought back.`);
    }
    await files.put(storedName(coupleId, memory.fileName, 'original'), temporary, typeOfRow(memory));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Null where the archive itself is to blame; a full disk is not its fault. */
function orBroken(error: unknown): null {
  if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z_')) throw error;
  return null;
}
