import type { MediaType } from '../../rules.ts';

/** The format that a file's first bytes name, or null if it is none of our four. */
export function photoTypeOf(head: Buffer): MediaType | null {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'image/webp';
  return null;
}

/** How many of a file's first bytes {@link photoTypeOf} looks at. */
export const HEAD_LENGTH = 12;
