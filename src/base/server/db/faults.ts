/**
 * What PostgreSQL's errors mean for the caller, by SQLSTATE or, where the client made them, by their message.
 */

/** The code of a system call's, a database's or a store's error; its name where it has no code; '' for anything else. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : '';
}

/** The transaction lost against another one and is rolled back: serialization failure, deadlock. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error));
}

/** The server is a standby or was demoted: it takes no writes. Another connection may reach the new primary. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The connection is gone: what ran on it before COMMIT was sent is rolled back. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08...|57P0[123]|25P03|ECONNRESET|EPIPE)$/.test(code)) return true;
  return error instanceof Error && /^connection terminated(?! due to)|connection error and is not/i.test(error.message);
}

/** The client gave up waiting for an answer; the query may still run. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether the same call may succeed a moment later: the database is not there, is busy, or undid the transaction. */
export function isPassing(error: unknown): boolean {
  if (isConflict(error) || isReadOnly(error) || isLostConnection(error) || isReadTimeout(error)) return true;
  // Insufficient resources and operator intervention, which includes the statement limit (57014).
  if (/^(53|57)...$/.test(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /^(timeout (exceeded|expired)|connection terminated|client was closed)/i.test(error.message)
  );
}
