import { textLength } from '../base/text.ts';

/** The longest name that is kept, in code points. */
export const FILE_NAME_MAX = 255;

/** Controls, and marks that turn the direction of writing, by which an `.exe` can be made to look like a `.jpg`. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * The name that a file had on the device, fit to be shown and to be downloaded under: its folders, controls and marks
 * of direction are gone, what is too long is cut before the ending. Nothing is ever stored under it.
 * @param fallback what it is called where nothing is left
 */
export function cleanFileName(raw: string, fallback: string): string {
  const visible = raw.toWellFormed().normalize('NFC').replace(INVISIBLE, ' ').replace(/\s+/g, ' ');
  const name = (visible.split(/[/\\]/).at(-1) ?? '').trim();
  return /^\.*$/.test(name) ? fallback : shorten(name);
}

function shorten(name: string): string {
  if (textLength(name) <= FILE_NAME_MAX) return name;
  const ending = /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? '';
  const room = FILE_NAME_MAX - textLength(ending);
  return (
    Array.from(name.slice(0, name.length - ending.length))
      .slice(0, room)
      .join('')
      .trim() + ending
  );
}

/**
 * A Content-Disposition that carries a name (RFC 6266): plain ASCII for old readers, and the name itself encoded, for
 * a header can hold no other characters.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
