import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, type Fault, faultOf, isTransient } from '../db/faults.ts';
import { StoreUnavailable } from '../files/files.ts';
import { DataDirInUse } from './data-dir-lock.ts';

/** What an operator can do about a fault. */
const ADVICE: Readonly<Record<Fault, string>> = {
  portInUse: 'The port is already in use. Choose another one with PORT',
  addressMissing: 'This machine doesn’t have the address in HOST',
  notAllowed: 'Not allowed. Files and folders must belong to the user who runs this',
  diskFull: 'The disk is full. Make room and try again',
  notFolder: 'A file is where a folder should be',
  missing: 'A file or folder is gone. Its disk may not be mounted',
  diskReadOnly: 'The disk is read-only',
  diskFails: 'The disk fails or is full',
  databaseNotOpened: 'The database in DATA_DIR can’t be opened. It must be a file of the user who runs this',
  databaseReadOnly: 'The database in DATA_DIR can’t be written. It must belong to the user who runs this',
  databaseBusy: 'Another program is writing to the database in DATA_DIR. Wait until it has finished, and try again',
  databaseDamaged: 'The database in DATA_DIR is damaged. Keep it, and restore the newest backup into another folder',
  passwordRefused: 'PostgreSQL refuses the user or password in DATABASE_URL',
  databaseMissing: 'PostgreSQL has no database of that name. Create it, or correct DATABASE_URL',
  databaseForbids: 'PostgreSQL doesn’t allow this to the user in DATABASE_URL',
  hostUnknown:
    'Cannot find the host of the database or the photo store. If a password in its address has signs such as @ / # ?, write them as %40 %2F %23 %3F',
  unreachable: 'Cannot reach the database or the photo store',
};

/**
 * Explains an error of a setting, a disk, the database or the photo store in one line, with what an operator can do.
 * Null for any other error, whose stack tells more.
 */
export function explainFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DataDirInUse) return error.message;
  if (error instanceof StoreUnavailable) {
    return error.cause === undefined
      ? error.message
      : withReason('The photo store in STORAGE_URL refuses or fails', codeOf(error.cause));
  }
  const fault = faultOf(error);
  const advice = fault === null ? undefined : ADVICE[fault];
  if (advice !== undefined) return withReason(advice + (fault === 'notAllowed' ? usersOf(error) : ''), error.message);
  return isTransient(error) ? withReason('The database doesn’t respond', error.message) : null;
}

/** Names the user who runs this and the owner of the path that the error names, where the system has users. */
function usersOf(error: Error): string {
  if (process.getuid === undefined || !('path' in error) || typeof error.path !== 'string') return '';
  const user = `${process.getuid()}:${process.getgid?.()}`;
  const owned = nearestReadable(error.path);
  return owned === null ? '' : `. This runs as user ${user}, and ${owned.path} belongs to ${owned.uid}:${owned.gid}`;
}

/** The path itself, or the nearest folder above it that this user may look at. */
function nearestReadable(path: string): { path: string; uid: number; gid: number } | null {
  try {
    const { uid, gid } = statSync(path);
    return { path, uid, gid };
  } catch {
    return dirname(path) === path ? null : nearestReadable(dirname(path));
  }
}

function withReason(sentence: string, reason: string): string {
  const line = reason.split('\n', 1)[0] ?? '';
  return line === '' ? `${sentence}.` : `${sentence} (${line}).`;
}
