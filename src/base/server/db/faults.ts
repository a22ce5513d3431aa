/** Returns the code of an error from the system, a database or the photo store; else its name; '' for other values. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : '';
}

/** What the system, a database or the photo store says is wrong. */
export type Fault =
  | 'portInUse'
  | 'addressMissing'
  | 'notAllowed'
  | 'diskFull'
  | 'notFolder'
  | 'missing'
  | 'diskReadOnly'
  | 'diskFails'
  | 'databaseNotOpened'
  | 'databaseReadOnly'
  | 'databaseBusy'
  | 'databaseDamaged'
  | 'passwordRefused'
  | 'databaseMissing'
  | 'databaseForbids'
  | 'hostUnknown'
  | 'unreachable';

/** The codes of each fault: those of the system, of SQLite with its extended ones, and of PostgreSQL. */
const CODES: readonly (readonly [Fault, RegExp])[] = [
  ['portInUse', /^EADDRINUSE$/],
  ['addressMissing', /^EADDRNOTAVAIL$/],
  ['notAllowed', /^(EACCES|EPERM)$/],
  ['diskFull', /^(ENOSPC|EDQUOT|SQLITE_FULL|53100)$/],
  ['notFolder', /^(EEXIST|ENOTDIR)$/],
  ['missing', /^ENOENT$/],
  ['diskReadOnly', /^EROFS$/],
  ['diskFails', /^(EIO|SQLITE_IOERR.*)$/],
  ['databaseNotOpened', /^SQLITE_CANTOPEN/],
  ['databaseReadOnly', /^SQLITE_READONLY/],
  ['databaseBusy', /^SQLITE_BUSY/],
  ['databaseDamaged', /^SQLITE_(NOTADB|CORRUPT)/],
  ['passwordRefused', /^28(000|P01)$/],
  ['databaseMissing', /^3D000$/],
  ['databaseForbids', /^42501$/],
  ['hostUnknown', /^(ENOTFOUND|EAI_AGAIN)$/],
  ['unreachable', /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)$/],
];

/** Returns what is wrong by an error's code; null if it says nothing of a disk, a database or the photo store. */
export function faultOf(error: unknown): Fault | null {
  const code = codeOf(error);
  return CODES.find(([, codes]) => codes.test(code))?.[0] ?? null;
}

/** A serialization failure or a deadlock: PostgreSQL has rolled the transaction back. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error));
}

/** A transaction waited too long for a lock of another one. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** A value that must be unique exists already. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}

/** The user or the couple of a session does not exist any more. */
export class OwnerGone extends Error {
  override readonly name = 'OwnerGone';
}

/** What a row belongs to does not exist, for a session's rows because the account or the space was deleted meanwhile. */
export function isOwnerGone(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof OwnerGone || code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** The disk of SQLite failed, rather than being full: what it should have written may be lost. */
export function isDiskFault(error: unknown): boolean {
  return faultOf(error) === 'diskFails';
}

/** Another process holds the lock that SQLite needs. */
export function isBusy(error: unknown): boolean {
  return faultOf(error) === 'databaseBusy';
}

/** The server is a standby and rejects writes. A new connection may reach the primary. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The connection is lost. PostgreSQL rolls its transaction back, unless COMMIT was already sent. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08...|57P0[123]|25P03|ECONNRESET|EPIPE)$/.test(code)) return true;
  return error instanceof Error && /^connection terminated(?! due to)|connection error and is not/i.test(error.message);
}

/** The client's query timeout. The query may still be running. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns whether a retry may succeed: the database is down or busy, or has rolled the transaction back. */
export function isTransient(error: unknown): boolean {
  if (isConflict(error) || isReadOnly(error) || isLostConnection(error) || isReadTimeout(error)) return true;
  // Insufficient resources, and operator intervention, which includes the statement timeout (57014).
  if (/^(53|57)...$/.test(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /^(timeout (exceeded|expired)|connection terminated|client was closed)/i.test(error.message)
  );
}
