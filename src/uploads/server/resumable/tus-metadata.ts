/** The values of an Upload-Metadata header by key. A value that is not UTF-8 is null. */
export type TusMetadata = ReadonlyMap<string, string | null>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an Upload-Metadata header (tus 1.0.0): `key base64,key base64`. The library's own parser puts replacement
 * characters into text that is not UTF-8, and we refuse that text. Malformed pairs are left to the library to refuse.
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
