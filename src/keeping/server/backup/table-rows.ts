import { createReadStream } from 'node:fs';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { MOST_VALUES } from '../../../base/server/db/most-values.ts';
import { readRowByRow } from '../../../base/server/db/read-in-batches.ts';
import { tablePolicies } from '../../../base/server/db/tables/table-policies.ts';
import type { Tables } from '../../../base/server/db/tables/tables.ts';
import { BackupError } from './backup-error.ts';

/** A row of any table: strings, numbers and nulls, the same on both engines. */
export type Row = Readonly<Record<string, unknown>>;

/** Yields these columns of every row of a table of all couples, in the order of its key. For backups only. */
export function rowsOf(reader: Reader, table: keyof Tables, selected: readonly string[]): AsyncGenerator<Row> {
  const key: readonly string[] = tablePolicies[table].key;
  // 'ideas' stands for any table: the types don't matter here.
  const query = reader.selectFrom(table as 'ideas').select(selected as readonly 'id'[]);
  return readRowByRow<Row>((after, limit) =>
    inOrderAfter(query, key as readonly 'id'[], after && key.map((column) => after[column] as string | number))
      .limit(limit)
      .execute(),
  );
}

/** What Node's `readline` takes for the end of a line, besides \r and \n, which JSON escapes. */
const LINE_SEPARATORS = /[\u2028\u2029]/g;

/**
 * Formats a row as a line of JSON. It escapes what older releases take for the end of a line, since they may read it.
 * @throws if a value wouldn't survive the round trip
 */
export function toLine(table: string, row: Row): Buffer {
  for (const [column, value] of Object.entries(row)) {
    const isPlain = value === null || typeof value === 'string' || Number.isSafeInteger(value);
    if (!isPlain) throw new Error(`${table}.${column} holds a ${typeof value}, which a backup can’t hold`);
  }
  const json = JSON.stringify(row).replace(LINE_SEPARATORS, (found) => `\\u${found.charCodeAt(0).toString(16)}`);
  return Buffer.from(`${json}\n`);
}

/** Reads the rows of a file of JSON lines. @throws BackupError if a line isn't a row */
export async function* readRows(path: string): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line !== '') yield toRow(line, `${path}, line ${number}`);
  }
}

/** Yields the text between line feeds. Node's `readline` also splits at U+2028 and U+2029, which a text may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let last = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = (last + text).split('\n');
    last = lines.pop() ?? '';
    yield* lines;
  }
  yield last;
}

function toRow(line: string, place: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new BackupError(`${place} isn’t valid JSON.`);
  }
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isRow) throw new BackupError(`${place} isn’t a row.`);
  return value as Row;
}

/** Inserts rows into a table in batches. @returns how many */
export async function insertRows(tx: Writer, table: string, rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  const insert = async () => {
    if (batch.length > 0)
      await tx
        .insertInto(table as 'ideas')
        .values(batch as never)
        .execute();
    count += batch.length;
    batch = [];
  };
  for await (const row of rows) {
    batch.push(row);
    if (batch.length * Object.keys(row).length >= MOST_VALUES) await insert();
  }
  await insert();
  return count;
}
