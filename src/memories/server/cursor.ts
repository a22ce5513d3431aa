import { refuseField } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import type { MemorySort } from '../rules.ts';

/**
 * A place in a list: what it is ordered by, then the id, for two may be of one moment or of one size. No id stands
 * before every id: it is an edge in time, such as a month's, where no memory needs to be.
 */
export interface Position {
  readonly value: number;
  readonly id: string;
}

/** The opaque text by which the next page is asked for. */
export function writeCursor(sort: MemorySort, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

/**
 * The position that a cursor names.
 * @throws Refusal 400 where it is none of ours, or belongs to another order
 */
export function readCursor(sort: MemorySort, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [ofSort, value, id] = parts(cursor);
  if (ofSort !== sort || typeof value !== 'number' || !Number.isSafeInteger(value) || !(id === '' || isId(id))) {
    throw refuseField('cursor', 'cursor is none that this list gave');
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
