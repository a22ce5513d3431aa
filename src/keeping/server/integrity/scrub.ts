import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing, type Files } from '../../../base/server/files/files.ts';
import { readScheduledJob, saveScheduledJob, takeJobLease } from '../../../base/server/job-store.ts';
import { HOUR, MINUTE } from '../../../base/time.ts';
import { typeOfRow } from '../../../memories/server/memory.ts';
import { storedName } from '../../../memories/server/names.ts';
import { scrubBatchSize } from '../../rules.ts';
import { BackupFolder } from '../backup/backup-folder.ts';
import { isBackupOn } from '../backup/backup-nodes.ts';
import { digestOf, digestOfFile, type FileDigest, sameDigest, writeDurably } from '../durable-file.ts';
import {
  countPhotographs,
  forgetDamagedFile,
  memoryExists,
  nextToScrub,
  recordDamagedFile,
  type ScrubPosition,
  type ScrubTarget,
} from './damaged-file-store.ts';

/** What a scrub works with: a part of `Deps`, so that the command can do it beside the app. */
export type ScrubDeps = Pick<Deps, 'db' | 'files' | 'now'> & {
  readonly config: Pick<Deps['config'], 'backupDir'>;
  readonly log: Pick<Deps['log'], 'error' | 'warn'>;
};

/** What was found of a photograph. */
export type ScrubResult = 'intact' | 'repaired' | 'changed' | 'lost' | 'gone';

const BATCH = 100;
const LEASE_MS = 55 * MINUTE;

/**
 * Reads the next few originals and holds each against the hash with which it was acknowledged: a disk can change what
 * lies on it without a word. Of several nodes one does it, once an hour.
 */
export async function scrubNextBatch(scrubber: ScrubDeps, isStopped: () => boolean): Promise<void> {
  const { db, now } = scrubber;
  const startedAt = now();
  // A node that can put damaged photographs back does it, where there is one.
  if (scrubber.config.backupDir === null && (await isBackupOn(db.read, startedAt))) return;
  const owner = await db.write((tx) => takeJobLease(tx, 'scrub', startedAt, startedAt + LEASE_MS));
  if (owner === null) return;
  const { state } = await readScheduledJob<{ after: ScrubPosition | null }>(db.read, 'scrub');
  const share = scrubBatchSize(await countPhotographs(db.read));
  const photographs = await nextToScrub(db.read, state?.after ?? null, share);
  for (const photograph of photographs) {
    if (isStopped()) return;
    await scrubOne(scrubber, photograph);
    const { coupleId, id } = photograph;
    const after = { coupleId, id };
    // Another node has taken over: its position counts.
    if (!(await db.write((tx) => saveScheduledJob(tx, 'scrub', { state: { after }, owner })))) return;
  }
  if (photographs.length < share) {
    await db.write((tx) => saveScheduledJob(tx, 'scrub', { state: { after: null }, doneAt: now(), owner }));
  }
}

/** Looks at every original there is. @param tell is told of each that is not whole */
export async function scrubAll(
  scrubber: ScrubDeps,
  tell: (photograph: ScrubTarget, finding: ScrubResult) => void,
): Promise<number> {
  let count = 0;
  let after: ScrubPosition | null = null;
  for (;;) {
    const photographs: ScrubTarget[] = await nextToScrub(scrubber.db.read, after, BATCH);
    for (const photograph of photographs) {
      const finding = await scrubOne(scrubber, photograph);
      if (finding !== 'gone') count += 1;
      if (finding !== 'intact' && finding !== 'gone') tell(photograph, finding);
    }
    after = photographs.at(-1) ?? null;
    if (photographs.length < BATCH) break;
  }
  await scrubber.db.write(async (tx) => {
    await takeJobLease(tx, 'scrub', scrubber.now(), scrubber.now() + HOUR);
    await saveScheduledJob(tx, 'scrub', { doneAt: scrubber.now() });
  });
  return count;
}

/** Looks at one. Where it is damaged and the backup has it whole, it is put back from there. */
async function scrubOne(scrubber: ScrubDeps, photograph: ScrubTarget): Promise<ScrubResult> {
  const { db, files, log, now } = scrubber;
  const { coupleId, id, fileName } = photograph;
  const name = storedName(coupleId, fileName, 'original');
  const expected = { bytes: photograph.fileSizeBytes, sha256: photograph.sha256 };
  const found = await measureStored(files, name);
  if (found !== null && sameDigest(found, expected)) {
    await clearDamage(scrubber, photograph);
    return 'intact';
  }
  if (!(await memoryExists(db.read, coupleId, id))) return 'gone';
  if (await repairFromBackup(scrubber, name, expected)) {
    // Its files are removed after its row. It may have been deleted for good, with its files, before it was put back.
    if (!(await memoryExists(db.read, coupleId, id))) {
      await files.remove(name);
      return 'gone';
    }
    log.warn({ name }, 'a damaged photograph was put back from the backup');
    await clearDamage(scrubber, photograph);
    return 'repaired';
  }
  const kind = found === null ? 'lost' : 'changed';
  log.error({ name, kind }, 'a photograph is not as it was uploaded');
  await db.write((tx) => recordDamagedFile(tx, coupleId, { fileName, kind, foundAt: now() }));
  return kind;
}

async function measureStored(files: Files, name: string): Promise<FileDigest | null> {
  try {
    return await digestOf(await files.read(name));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

async function repairFromBackup({ files, config }: ScrubDeps, name: string, expected: FileDigest): Promise<boolean> {
  if (config.backupDir === null) return false;
  const copy = new BackupFolder(config.backupDir).photo(name);
  const found = await digestOfFile(copy);
  if (found === null || !sameDigest(found, expected)) return false;
  const temporary = files.temporary();
  try {
    if ((await writeDurably(temporary, () => createReadStream(copy), expected)) === null) return false;
    await files.put(name, temporary, typeOfRow({ fileExtension: extname(name) }));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Only what was noted needs a write to be forgotten. */
async function clearDamage({ db }: ScrubDeps, { coupleId, fileName }: ScrubTarget): Promise<void> {
  const noted = await db.read
    .selectFrom('damagedFiles')
    .select('fileName')
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', fileName)
    .executeTakeFirst();
  if (noted !== undefined) await db.write((tx) => forgetDamagedFile(tx, coupleId, fileName));
}
