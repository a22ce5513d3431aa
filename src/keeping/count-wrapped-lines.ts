/**
 * Counts the lines of a text in a column of `width`: at least as many as a browser makes, because a word that could be
 * divided is divided only if it is wider than a line, and then into parts a little narrower than a line.
 * @param widthOf the width of a text in one line
 */
export function countWrappedLines(text: string, width: number, widthOf: (text: string) => number): number {
  const space = widthOf(' ');
  let lines = 0;
  for (const paragraph of text.split('\n')) {
    lines += 1;
    let used = 0;
    for (const word of paragraph.split(/\s+/).filter((one) => one !== '')) {
      const wide = widthOf(word);
      if (used > 0 && used + space + wide > width) {
        lines += 1;
        used = 0;
      }
      // The letters of a divided word seldom fill its lines.
      const more = Math.max(0, Math.ceil(wide / (0.94 * width)) - 1);
      lines += more;
      used = more > 0 ? wide - more * 0.94 * width : used + (used > 0 ? space : 0) + wide;
    }
  }
  return lines;
}
