import { isId } from '../../base/ids.ts';
import { invalidField } from '../../base/refusal.ts';
import { type MemorySort, ORDERS } from '../sorts.ts';

/**
 * A position in a list: the values of the fields by which it sorts, then the id to break ties. An empty id sorts before
 * every id, and marks an instant such as the start of a month, where no memory needs to be.
 */
export interface Position {
  readonly values: readonly number[];
  readonly id: string;
}

/** The position before everything that has this value or more in the first field of the order. */
export function positionBefore(sort: MemorySort, value: number): Position {
  return { values: ORDERS[sort].by.map((_, n) => (n === 0 ? value : Number.MIN_SAFE_INTEGER)), id: '' };
}

/** Encodes a position as the opaque cursor of the next page. */
export function writeCursor(sort: MemorySort, { values, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, ...values, id])).toString('base64url');
}

/**
 * Decodes a cursor.
 * @throws Refusal 400 if it is malformed, or belongs to another sort order
 */
export function readCursor(sort: MemorySort, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [ofSort, ...rest] = parts(cursor);
  const [id, values] = [rest.at(-1), rest.slice(0, -1)];
  const isWhole = ofSort === sort && values.length === ORDERS[sort].by.length && values.every(Number.isSafeInteger);
  if (!isWhole || !(id === '' || isId(id))) throw invalidField('cursor', 'cursor is not from this list');
  return { values: values as number[], id };
}

function parts(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
