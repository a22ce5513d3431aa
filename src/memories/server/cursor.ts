import { refuseField } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import type { MemorySort } from '../rules.ts';

/**
 * A position in a list: the sort value, then the id to break ties. An empty id sorts before every id, and marks an instant
 * such as the start of a month, where no memory needs to be.
 */
export interface Position {
  readonly value: number;
  readonly id: string;
}

/** Encodes a position as the opaque cursor of the next page. */
export function writeCursor(sort: MemorySort, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

/**
 * Decodes a cursor.
 * @throws Refusal 400 if it is malformed, or belongs to another sort order
 */
export function readCursor(sort: MemorySort, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [ofSort, value, id] = parts(cursor);
  if (ofSort !== sort || typeof value !== 'number' || !Number.isSafeInteger(value) || !(id === '' || isId(id))) {
    throw refuseField('cursor', 'cursor is not from this list');
  }
  return { value, id };
}

function parts(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
