import { textLength } from '../base/clean-text.ts';

/** The longest file name, in code points. */
export const FILE_NAME_MAX = 255;

/** Control characters, and bidirectional marks, which can make an `.exe` look like a `.jpg`. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Cleans a device's file name for display and download: removes folders, control characters and bidirectional marks, and
 * shortens it before its extension. No file is stored under this name.
 * @param fallback the name if nothing is left
 */
export function cleanFileName(raw: string, fallback: string): string {
  const visible = raw.toWellFormed().normalize('NFC').replace(INVISIBLE, ' ').replace(/\s+/g, ' ');
  const name = (visible.split(/[/\\]/).at(-1) ?? '').trim();
  return /^\.*$/.test(name) ? fallback : shorten(name);
}

function shorten(name: string): string {
  if (textLength(name) <= FILE_NAME_MAX) return name;
  const extension = /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? '';
  const maxLength = FILE_NAME_MAX - textLength(extension);
  const characters = Array.from(name.slice(0, name.length - extension.length));
  return characters.slice(0, maxLength).join('').trim() + extension;
}
