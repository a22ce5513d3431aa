/**
 * Cleans a text the way page and server both do (wire.values.7): line ends become LF, then NFC, then trimmed. A text
 * of invisible characters alone is blank. Its length is counted in Unicode code points, so that a text that fits in the
 * form fits on the server.
 */
export function cleanText(raw: string): string {
  return raw
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')
    .trim()
    .replace(/^[\s\p{DI}]+$/u, '');
}

/** Returns the length of a cleaned text in code points. */
export function textLength(clean: string): number {
  let length = 0;
  for (const _ of clean) length += 1;
  return length;
}

/** Returns the length in code points that the server will count for a field's value. */
export function countText(raw: string): number {
  return textLength(cleanText(raw));
}

/** Returns whether a text contains a NUL, a lone surrogate, or a C0 control other than tab and newline. */
export function hasForbiddenCharacter(text: string): boolean {
  return !text.isWellFormed() || /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text.replace(/\r/g, ''));
}

/** Cleans a text. Absent, null and blank become null (wire.values.5). */
export function textOrNull(raw: string | null | undefined): string | null {
  const clean = cleanText(raw ?? '');
  return clean === '' ? null : clean;
}
