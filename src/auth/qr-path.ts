/**
 * Converts the dark modules of a QR code into the `d` attribute of one SVG path, in units of a module. A run of
 * neighbors in a row becomes one rectangle, because seams between many small squares can confuse a camera.
 */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const runs: string[] = [];
      for (let x = 0; x < row.length; x += 1) {
        if (!row[x]) continue;
        const end = row.indexOf(false, x);
        const length = (end === -1 ? row.length : end) - x;
        runs.push(`M${x} ${y}h${length}v1h-${length}z`);
        x += length;
      }
      return runs;
    })
    .join('');
}
