import { randomUUID } from 'node:crypto';
import { MINUTE } from '../../../base/durations.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { digestOfFile, type FileDigest, isSameDigest } from '../../../base/server/files/digest.ts';
import { digestOfStored } from '../../../base/server/files/read-stored.ts';
import { assertOwnStore, findMismatch } from '../../../base/server/files/store-identity.ts';
import {
  readScheduledJob,
  recordScheduledJob,
  saveScheduledJob,
  takeJobLease,
} from '../../../base/server/jobs/job-store.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import { scrubBatchSize } from '../../rules.ts';
import { BackupFolder } from '../backup/backup-folder.ts';
import { copyToStore } from '../backup/copy-to-store.ts';
import { isBackupOn } from '../backup/nightly-backup.ts';
import {
  countPhotographs,
  forgetDamagedFile,
  hasMemory,
  nextToScrub,
  recordDamagedFile,
  type ScrubPosition,
  type ScrubTarget,
} from './scrub-store.ts';

/** What a scrub needs: a part of `Deps`, so that the command can run it beside the app. */
export type ScrubDeps = Pick<Deps, 'db' | 'files' | 'now'> & {
  readonly config: Pick<Deps['config'], 'backupDir'>;
  readonly log: Pick<Deps['log'], 'error' | 'warn'>;
};

/** The state of a photograph. 'gone': its memory was purged during the scrub. */
export type ScrubResult = 'intact' | 'repaired' | 'changed' | 'lost' | 'gone';

const BATCH = 100;
const LEASE_MS = 55 * MINUTE;

/**
 * Reads the next few originals and compares each with the hash of its upload, to find silent changes on the disk. A
 * lease makes sure that only one node does this, once an hour.
 */
export async function scrubNextBatch(scrubber: ScrubDeps, isStopped: () => boolean): Promise<void> {
  const { db, now } = scrubber;
  const startedAt = now();
  // Leave it to a node that has the backups and can repair.
  if (scrubber.config.backupDir === null && (await isBackupOn(db.read, startedAt))) return;
  // Another store would look like one that has lost every photograph. The sweep logs it.
  if ((await findMismatch(scrubber)) !== null) return;
  const owner = randomUUID();
  const times = { now: startedAt, until: startedAt + LEASE_MS };
  if (!(await db.write((tx) => takeJobLease(tx, 'scrub', owner, times)))) return;
  const { state } = await readScheduledJob<{ after: ScrubPosition | null }>(db.read, 'scrub');
  const share = scrubBatchSize(await countPhotographs(db.read));
  const photographs = await nextToScrub(db.read, state?.after ?? null, share);
  for (const photograph of photographs) {
    if (isStopped()) return;
    await scrubOne(scrubber, photograph);
    const { coupleId, id } = photograph;
    const after = { coupleId, id };
    // Another node has taken over. Its position counts.
    if (!(await db.write((tx) => saveScheduledJob(tx, 'scrub', { state: { after }, owner })))) return;
  }
  if (photographs.length < share) {
    await db.write((tx) => saveScheduledJob(tx, 'scrub', { state: { after: null }, doneAt: now(), owner }));
  }
}

/**
 * Scrubs every original.
 * @param tell called for each that isn't intact
 * @returns how many were checked
 * @throws WrongStore if the store isn't the one of the database
 */
export async function scrubAll(
  scrubber: ScrubDeps,
  tell: (photograph: ScrubTarget, finding: ScrubResult) => void,
): Promise<number> {
  await assertOwnStore(scrubber);
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
  await scrubber.db.write((tx) => recordScheduledJob(tx, 'scrub', { doneAt: scrubber.now() }));
  return count;
}

/** Checks one original. If it is damaged and the backup has a good copy, restores it from there. */
async function scrubOne(scrubber: ScrubDeps, photograph: ScrubTarget): Promise<ScrubResult> {
  const { db, files, log, now } = scrubber;
  const { coupleId, id, fileName } = photograph;
  const name = storedName(coupleId, fileName, 'original');
  const expected = { bytes: photograph.fileSizeBytes, sha256: photograph.sha256 };
  const found = await digestOfStored(files, name);
  if (found !== null && isSameDigest(found, expected)) {
    await clearDamage(scrubber, photograph);
    return 'intact';
  }
  if (!(await hasMemory(db.read, coupleId, id))) return 'gone';
  if (await repairFromBackup(scrubber, name, expected)) {
    // The memory may have been purged, files included, before the repair put the file back.
    if (!(await hasMemory(db.read, coupleId, id))) {
      await files.remove(name);
      return 'gone';
    }
    log.warn({ name }, 'a damaged photograph was restored from the backup');
    await clearDamage(scrubber, photograph);
    return 'repaired';
  }
  const kind = found === null ? 'lost' : 'changed';
  log.error({ name, kind }, 'a photograph is damaged');
  await db.write((tx) => recordDamagedFile(tx, coupleId, { fileName, kind, foundAt: now() }));
  return kind;
}

async function repairFromBackup(
  { files, config, log }: ScrubDeps,
  name: string,
  expected: FileDigest,
): Promise<boolean> {
  if (config.backupDir === null) return false;
  const folder = new BackupFolder(config.backupDir);
  const path = folder.photo(name);
  const found = await digestOfFile(path);
  if (found === null || !isSameDigest(found, expected)) return false;
  try {
    return await copyToStore(files, path, { name, ...expected });
  } catch (error) {
    // It must not keep the scrub from the other photographs.
    if (!(await files.isFaultOfFile(error))) throw error;
    log.error({ err: error, name }, 'a damaged photograph could not be restored from the backup');
    return false;
  }
}

/** Deletes the record of a damaged file. Writes only if there is one. */
async function clearDamage({ db }: ScrubDeps, { coupleId, fileName }: ScrubTarget): Promise<void> {
  const noted = await db.read
    .selectFrom('damagedFiles')
    .select('fileName')
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', fileName)
    .executeTakeFirst();
  if (noted !== undefined) await db.write((tx) => forgetDamagedFile(tx, coupleId, fileName));
}
