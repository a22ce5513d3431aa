import { codeOf } from '../db/faults.ts';

/** Returns whether an error means that a file doesn't exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Returns whether an error means that a file or folder of that name exists already. */
export function isAlreadyThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

/** Error codes of a file that exists but can't be read. */
const UNREADABLE = new Set(['EIO', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EUCLEAN', 'EBADMSG']);

/**
 * Whether reading a file failed because of the file itself, for example a bad sector. Such an error must not keep a job
 * from the other files.
 */
export function isUnreadable(error: unknown): error is Error & { code: string } {
  return UNREADABLE.has(codeOf(error));
}
