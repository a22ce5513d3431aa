/**
 * Counts the lines of a text that is as wide as given: at least as many as a browser makes, because a word that could be
 * divided is divided only if it is wider than a line.
 * @param widthOf the width of a text in one line
 */
export function countLines(text: string, width: number, widthOf: (text: string) => number): number {
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
      // A word that is wider than a line is divided. The letters of each line may be a little narrower than the line.
      const more = Math.max(0, Math.ceil(wide / (0.94 * width)) - 1);
      lines += more;
      used = more > 0 ? wide - more * 0.94 * width : used + (used > 0 ? space : 0) + wide;
    }
  }
  return lines;
}
