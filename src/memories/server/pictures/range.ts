import type { ByteRange } from '../../../base/server/files/files.ts';

/**
 * The part that a `Range` header asks for (RFC 9110, 14): null where the whole is to be sent, since nothing was asked,
 * or nothing that we understand, or several parts at once; 'unsatisfiable' where it lies behind the end.
 * @param size of the whole, in bytes
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether one of the tags in an `If-None-Match` is this one, compared weakly as that header wants. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
