/** The line of date mode's thread, as an SVG path in a box of 312 by 52. It leaves room for the needle. */
export const SEAM_PATH = 'M4 34C56 30 104 38 152 34s78-6 116-2';

/** The share of a stitch that lies on the cloth; the rest is behind it. */
const ON_TOP = 0.76;
/** The `pathLength` that the path is declared to have: the dashes are parts of it. */
export const PATH_LENGTH = 1000;

const rounded = (value: number) => Math.round(value * 10) / 10;

/** The `stroke-dasharray` of the sewn part: a dash for each stitch, up to the needle. */
export function sewnDashes(stitches: readonly number[], sewn: number): string {
  const dashes = stitches.flatMap((from, index) => {
    const length = ((stitches[index + 1] ?? sewn) - from) * PATH_LENGTH;
    const isLast = index === stitches.length - 1;
    return isLast ? [rounded(length), PATH_LENGTH] : [rounded(length * ON_TOP), rounded(length * (1 - ON_TOP))];
  });
  return dashes.length === 0 ? `0 ${PATH_LENGTH}` : dashes.join(' ');
}

/** The distance between two pencil dots, as a part of `PATH_LENGTH`. */
const DOT_GAP = 26;

/** The `stroke-dasharray` of the pencil dots, from the needle to the end. */
export function restDashes(sewn: number): string {
  const from = sewn * PATH_LENGTH + DOT_GAP / 2;
  const dots = Math.max(0, Math.floor((PATH_LENGTH - from) / DOT_GAP));
  if (dots === 0) return `0 ${PATH_LENGTH}`;
  const gaps = Array.from({ length: dots }, () => `0.1 ${DOT_GAP}`);
  return `0 ${rounded(from)} ${gaps.join(' ')} 0 ${PATH_LENGTH}`;
}
