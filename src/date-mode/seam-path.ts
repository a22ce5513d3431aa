/** The line of date mode's thread, as an SVG path in a box of 312 by 52. It leaves room for the needle. */
export const SEAM_PATH = 'M4 34C56 30 104 38 152 34s78-6 116-2';

type Point = readonly [x: number, y: number];
type Curve = readonly [Point, Point, Point, Point];

/** The same line as two cubic curves. */
const CURVES: readonly Curve[] = [
  [
    [4, 34],
    [56, 30],
    [104, 38],
    [152, 34],
  ],
  [
    [152, 34],
    [200, 30],
    [230, 28],
    [268, 32],
  ],
];

const STEPS = 40;

function pointOn([a, b, c, d]: Curve, t: number): Point {
  const at = (axis: 0 | 1) =>
    (1 - t) ** 3 * a[axis] + 3 * (1 - t) ** 2 * t * b[axis] + 3 * (1 - t) * t ** 2 * c[axis] + t ** 3 * d[axis];
  return [at(0), at(1)];
}

/** Points along the line, each with its distance from the start. */
const samples: readonly { readonly point: Point; readonly distance: number }[] = (() => {
  const found: { point: Point; distance: number }[] = [];
  for (const curve of CURVES) {
    for (let step = found.length === 0 ? 0 : 1; step <= STEPS; step += 1) {
      const point = pointOn(curve, step / STEPS);
      const last = found.at(-1);
      const gap = last === undefined ? 0 : Math.hypot(point[0] - last.point[0], point[1] - last.point[1]);
      found.push({ point, distance: (last?.distance ?? 0) + gap });
    }
  }
  return found;
})();

const LENGTH = samples.at(-1)?.distance ?? 1;

/** The point of the line after a share of its length, 0 to 1. */
export function pointAt(share: number): { readonly x: number; readonly y: number } {
  const wanted = Math.max(0, Math.min(1, share)) * LENGTH;
  const next = Math.max(
    1,
    samples.findIndex(({ distance }) => distance >= wanted),
  );
  const [from, to] = [samples[next - 1], samples[next]];
  if (from === undefined || to === undefined) return { x: 4, y: 34 };
  const part = (wanted - from.distance) / (to.distance - from.distance || 1);
  const at = (axis: 0 | 1) => Math.round((from.point[axis] + (to.point[axis] - from.point[axis]) * part) * 100) / 100;
  return { x: at(0), y: at(1) };
}

/** The share of a stitch that lies on the cloth; the rest is behind it. */
const ON_TOP = 0.76;
/** The `pathLength` for which the dashes are made. */
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

/** Between pencil dots, in units of the path's length. */
const DOT_GAP = 26;

/** The `stroke-dasharray` of the pencil dots, from the needle to the end. */
export function restDashes(sewn: number): string {
  const from = sewn * PATH_LENGTH + DOT_GAP / 2;
  const dots = Math.max(0, Math.floor((PATH_LENGTH - from) / DOT_GAP));
  if (dots === 0) return `0 ${PATH_LENGTH}`;
  const gaps = Array.from({ length: dots }, () => `0.1 ${DOT_GAP}`);
  return `0 ${rounded(from)} ${gaps.join(' ')} 0 ${PATH_LENGTH}`;
}
