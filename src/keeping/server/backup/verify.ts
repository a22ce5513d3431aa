import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Reader } from '../../../base/server/db/db.ts';
import { migrateTo } from '../../../base/server/db/open.ts';
import { openSqlite } from '../../../base/server/db/sqlite.ts';
import { toRefusal } from '../../../base/server/errors.ts';
import { plural } from '../../../base/text.ts';
import { formatInstant } from '../../../base/time.ts';
import { storedName } from '../../../memories/server/names.ts';
import type { Manifest } from '../../manifest.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { BackupLock } from './backup-lock.ts';
import {
  errorMessage,
  fillTables,
  listedFileFault,
  migrateKnown,
  photographFault,
  readPhotographs,
  requireManifest,
} from './restore.ts';

/** What was found when a backup was looked through. */
export interface VerificationResult {
  readonly manifest: Manifest;
  /** What is wrong with it, a sentence each; none where it can be restored whole. */
  readonly faults: readonly string[];
}

/**
 * Looks a backup through: its tables are restored to a temporary place, which is checked with its foreign keys; every
 * file and photograph is read and held against its hash; and each memory's photograph is there.
 * @param stamp another backup than the newest
 * @throws BackupError where there is no backup to be looked at, or it is to be broken off
 */
export async function verify(
  root: string,
  stamp: string | null = null,
  isStopped: () => boolean = () => false,
): Promise<VerificationResult> {
  const folder = new BackupFolder(root);
  const manifest = await requireManifest(folder, stamp);
  const faults: string[] = [];
  for (const listed of [...manifest.tables, manifest.photographs]) {
    const fault = await listedFileFault(folder, listed);
    if (fault !== null) faults.push(fault);
  }
  // Rows that are not as they were written can't be trusted to say what should be there.
  if (faults.length > 0) return { manifest, faults };
  const good = new Set(manifest.damaged);
  let totalBytes = 0;
  for await (const photograph of readPhotographs(folder, manifest)) {
    if (isStopped()) throw new BackupError('The verification was broken off.');
    good.add(photograph.name);
    totalBytes += photograph.bytes;
    const fault = await photographFault(folder, photograph);
    if (fault !== null) faults.push(fault);
  }
  if (totalBytes !== manifest.photographs.totalBytes)
    faults.push('The photographs are not as many bytes as they were.');
  faults.push(...(await restoredFaults(folder, manifest, good)));
  return { manifest, faults };
}

/**
 * Notes in the folder what a verification found: what passed is never thinned while it is the newest that did.
 * @throws FolderBusy where a backup is under way
 */
export async function recordVerification(
  root: string,
  { manifest, faults }: VerificationResult,
  now: number,
): Promise<void> {
  const lock = await BackupLock.take(root);
  try {
    const verification = { at: formatInstant(now), isWhole: faults.length === 0 };
    await new BackupFolder(root).recordVerification(stampOf(manifest.createdAt), verification);
  } finally {
    await lock.release();
  }
}

/** What is wrong with the tables once they are restored. */
async function restoredFaults(folder: BackupFolder, manifest: Manifest, good: ReadonlySet<string>): Promise<string[]> {
  const place = await mkdtemp(join(tmpdir(), 'our-love-story-verify-'));
  try {
    const { db, migrate } = openSqlite(place);
    try {
      await migrateKnown(migrate, manifest.migration);
      await fillTables(db, folder, manifest);
      await migrateTo(migrate, null);
      return [...(await integrityFaults(db.read)), ...(await missingPhotographs(db.read, good))];
    } finally {
      await db.close();
    }
  } catch (error) {
    // No room in the temporary place says nothing about the backup.
    if (toRefusal(error) !== null) throw error;
    return [`The tables can not be restored: ${errorMessage(error)}`];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function integrityFaults(reader: Reader): Promise<string[]> {
  const { rows: integrity } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(reader);
  const { rows: foreign } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(reader);
  return [
    ...integrity.filter((row) => row.integrity_check !== 'ok').map((row) => `Integrity: ${row.integrity_check}.`),
    ...foreign.map(({ table, parent }) => `A row of ${table} refers to one of ${parent} that is not there.`),
  ];
}

async function missingPhotographs(reader: Reader, good: ReadonlySet<string>): Promise<string[]> {
  const memories = await reader.selectFrom('memories').select(['coupleId', 'fileName']).execute();
  return memories
    .map(({ coupleId, fileName }) => storedName(coupleId, fileName, 'original'))
    .filter((name) => !good.has(name))
    .map((name) => `The photograph ${name} is not in the backup.`);
}

/** What a backup holds, in words: '1 couple, 12 ideas, 40 dates and 200 photographs'. */
export function describeContents({ tables, photographs: { rows } }: Manifest): string {
  const count = (table: string) => tables.find((one) => one.table === table)?.rows ?? 0;
  const parts = [
    plural(count('couples'), 'couple', 'couples'),
    plural(count('ideas'), 'idea', 'ideas'),
    plural(count('dates'), 'date', 'dates'),
  ];
  return `${parts.join(', ')} and ${plural(rows, 'photograph', 'photographs')}`;
}
