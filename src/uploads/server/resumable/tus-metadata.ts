/** What an Upload-Metadata header says: its values by their keys, null where one is no UTF-8. */
export type TusMetadata = ReadonlyMap<string, string | null>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads an Upload-Metadata header (tus 1.0.0): `key base64,key base64`. The library's own reader puts replacement
 * characters where a text is no UTF-8, and we refuse such a text. What is no pair is left out: the library refuses it.
 */
export function readMetadata(header: string | undefined): TusMetadata {
  const read = new Map<string, string | null>();
  for (const pair of (header ?? '').split(',')) {
    const [key = '', value = ''] = pair.trim().split(' ');
    if (key !== '' && !read.has(key)) read.set(key, decode(value));
  }
  return read;
}

function decode(base64: string): string | null {
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return null;
  }
}
