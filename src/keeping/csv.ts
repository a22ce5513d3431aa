/** A value in a table. */
export type Cell = string | number | null;

/**
 * Formats a table as CSV (RFC 4180) for spreadsheets, line by line: UTF-8 with a byte order mark, and CR LF. A text that a
 * spreadsheet would read as a formula is prefixed with an apostrophe.
 */
export function* toCsv(head: readonly string[], rows: Iterable<readonly Cell[]>): Generator<string> {
  yield `\ufeff${lineOf(head)}`;
  for (const row of rows) yield lineOf(row);
}

function lineOf(row: readonly Cell[]): string {
  return `${row.map(toCell).join(',')}\r\n`;
}

function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
