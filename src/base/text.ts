/**
 * Text as both sides count and clean it (contract 1, Lengths): line ends become LF, then NFC, then trimmed; a length
 * is the number of Unicode code points of that, so a family emoji that fits in the form fits on the server.
 */
export function cleanText(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').normalize('NFC').trim();
}

/** The length in code points of a text already cleaned. */
export function textLength(clean: string): number {
  let length = 0;
  for (const _ of clean) length += 1;
  return length;
}

/** The length in code points that the server will count for what stands in a field. */
export function countText(raw: string): number {
  return textLength(cleanText(raw));
}

/** Whether a text holds what no text may hold: a NUL, a lone surrogate, a C0 control other than tab and newline. */
export function hasForbiddenCharacter(text: string): boolean {
  return !text.isWellFormed() || /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text.replace(/\r/g, ''));
}

/** The text, or null where there is none: absent, null and blank mean "no value" (contract 1). */
export function textOrNull(raw: string | null | undefined): string | null {
  const clean = cleanText(raw ?? '');
  return clean === '' ? null : clean;
}

/** `1 idea`, `2 ideas`; an irregular plural is given. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A size in words, 1024-based with one decimal: '512 bytes', '4.0 KB', '2.3 MB' (contract 3). */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1024;
  let unit = 'KB';
  for (const next of ['MB', 'GB', 'TB']) {
    // What would round to 1024.0 is said in the next unit.
    if (value < 1023.95) break;
    value /= 1024;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}
