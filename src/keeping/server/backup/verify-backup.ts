import { sql } from 'kysely';
import { formatInstant } from '../../../base/instants.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { migrateTo } from '../../../base/server/db/migrate.ts';
import { openTemporarySqlite } from '../../../base/server/db/sqlite/sqlite.ts';
import { toRefusal } from '../../../base/server/http/to-refusal.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import type { Manifest } from '../../manifest.ts';
import {
  listedFileFault,
  photographFault,
  photographLists,
  readPhotographs,
  requireManifest,
} from './backup-contents.ts';
import { BackupError, errorMessage } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { fillTables } from './fill-tables.ts';
import { migrateKnown } from './migrate-known.ts';

/** The result of verifying a backup. */
export interface VerificationResult {
  readonly manifest: Manifest;
  /** One sentence per fault; empty if the backup can be restored completely. */
  readonly faults: readonly string[];
}

/**
 * Verifies a backup: reads every file and compares it with its hash, restores the tables into a temporary database,
 * checks its integrity and foreign keys, and checks that every memory has its photograph.
 * @param stamp which backup; null for the newest
 * @throws BackupError if there is no such backup, or it was aborted
 */
export async function verifyBackup(
  root: string,
  stamp: string | null = null,
  isStopped: () => boolean = () => false,
): Promise<VerificationResult> {
  const folder = new BackupFolder(root);
  const manifest = await requireManifest(folder, stamp);
  const faults: string[] = [];
  for (const listed of [...manifest.tables, ...photographLists(manifest)]) {
    const fault = await listedFileFault(folder, listed);
    if (fault !== null) faults.push(fault);
  }
  // Damaged rows can't tell which photographs should exist.
  if (faults.length > 0) return { manifest, faults };
  const intact = new Set(manifest.damaged);
  let totalBytes = 0;
  for await (const photograph of readPhotographs(folder, manifest)) {
    if (isStopped()) throw new BackupError('The verification was interrupted.');
    intact.add(photograph.name);
    if (!photograph.isChanged) totalBytes += photograph.bytes;
    const fault = await photographFault(photograph);
    if (fault !== null) faults.push(fault);
  }
  if (totalBytes !== manifest.photographs.totalBytes) faults.push('The total size of the photographs has changed.');
  faults.push(...(await restoredFaults(folder, manifest, intact)));
  return { manifest, faults };
}

/**
 * Records the result of a verification in the folder. The newest backup that passed is never thinned.
 * @throws FolderBusy if a backup is running
 */
export async function recordVerification(
  root: string,
  { manifest, faults }: VerificationResult,
  now: number,
): Promise<void> {
  const folder = new BackupFolder(root);
  const verification = { at: formatInstant(now), isWhole: faults.length === 0 };
  await folder.locked(() => folder.recordVerification(stampOf(manifest.createdAt), verification));
}

/** Restores the tables into a temporary database and returns their faults. */
async function restoredFaults(
  folder: BackupFolder,
  manifest: Manifest,
  intact: ReadonlySet<string>,
): Promise<string[]> {
  const database = openTemporarySqlite();
  try {
    await migrateKnown(database, manifest.migration);
    await fillTables({ write: (work) => database.transaction().execute(work) }, folder, manifest);
    await migrateTo(database, null);
    return [...(await integrityFaults(database)), ...(await missingPhotographs(database, intact))];
  } catch (error) {
    // A full disk for temporary files says nothing about the backup.
    if (toRefusal(error) !== null) throw error;
    return [`The tables can’t be restored: ${errorMessage(error)}`];
  } finally {
    await database.destroy();
  }
}

async function integrityFaults(reader: Reader): Promise<string[]> {
  const { rows: integrity } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(reader);
  const { rows: foreign } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(reader);
  return [
    ...integrity.filter((row) => row.integrity_check !== 'ok').map((row) => `Integrity: ${row.integrity_check}.`),
    ...foreign.map(({ table, parent }) => `A row of ${table} refers to a missing row of ${parent}.`),
  ];
}

async function missingPhotographs(reader: Reader, intact: ReadonlySet<string>): Promise<string[]> {
  const memories = await reader.selectFrom('memories').select(['coupleId', 'fileName']).execute();
  return memories
    .map(({ coupleId, fileName }) => storedName(coupleId, fileName, 'original'))
    .filter((name) => !intact.has(name))
    .map((name) => `The photograph ${name} is not in the backup.`);
}
