import { blend, clamp, type Frame, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';
import { GOLDEN, hazeAt, MORNING, NOON, ROSE, type Sky, skyAt } from './sky.ts';

const FIELDS: readonly Rgb[] = [
  [0.16, 0.2, 0.05],
  [0.3, 0.25, 0.09],
  [0.1, 0.16, 0.05],
  [0.24, 0.2, 0.1],
];
const TREES: Rgb = [0.03, 0.055, 0.022];

interface Cypress {
  readonly x: number;
  readonly foot: number;
  readonly tall: number;
}

interface Range {
  /** From 0, at the horizon, to 1, at the feet. */
  readonly near: number;
  readonly base: number;
  readonly seed: number;
  readonly cypresses: readonly Cypress[];
}

/** Hills one behind the other in the haze, with fields, vineyards and cypresses. */
export function paintHills(frame: Frame, random: () => number): void {
  const light = pick([GOLDEN, MORNING, GOLDEN, NOON, ROSE], random);
  const horizon = between(0.34, 0.5, random);
  const sky: Sky = {
    light,
    sunX: between(-0.45, 0.45, random),
    sunHeight: light === NOON ? 0.8 : between(0.04, 0.2, random),
    clouds: between(0.05, 0.6, random),
    seed: random() * 100,
  };
  const ranges = newRanges(horizon, Math.round(between(5, 7, random)), random);
  const mist = light === NOON ? 0.25 : between(0.4, 0.9, random);
  const half = frame.width / frame.height / 2;
  const columns = ranges.map((range) =>
    Array.from({ length: frame.width }, (_, column) => columnOf(range, (column + 0.5) / frame.height - half)),
  );
  shade(frame, (x, y, out) => {
    const column = Math.round((x + half) * frame.height - 0.5);
    for (const [i, range] of ranges.entries()) {
      const here = columns[i]![column]!;
      const tree = range.cypresses.some((cypress) => isIn(cypress, x, y));
      if (tree || y >= here.top) return land(sky, range, x, y, here, tree, mist, out);
    }
    skyAt(sky, x, horizon - y + 0.02, out);
  });
}

/** The nearest range first. */
function newRanges(horizon: number, count: number, random: () => number): Range[] {
  return Array.from({ length: count }, (_, i) => {
    const near = 1 - i / (count - 1);
    const base = horizon + (0.97 - horizon) * near ** 1.5 * 0.92;
    const range = { near, base, seed: random() * 90, cypresses: [] };
    if (near < 0.3 || near > 0.9 || random() < 0.25) return range;
    const [start, step, amount] = [between(-0.55, 0.3, random), 0.012 + near * 0.05, Math.ceil(random() * 8)];
    const cypresses = Array.from({ length: amount }, (_unused, k) => {
      const x = start + k * step * between(0.8, 1.25, random);
      return { x, foot: ridge(range, x) + near * 0.02, tall: (0.03 + near * 0.1) * between(0.75, 1.2, random) };
    });
    return { ...range, cypresses };
  });
}

/** The height of the land at a place, without trees. */
function ridge({ near, base, seed }: Range, x: number): number {
  return base - (fractal(x * (1.5 + near * 0.6) + seed, seed, 2) - 0.5) * (0.13 + 0.12 * near);
}

interface Column {
  /** The height of the land with the wood on it, and without. */
  readonly top: number;
  readonly ridge: number;
  readonly slope: number;
}

function columnOf(range: Range, x: number): Column {
  const { near, seed } = range;
  const wood = smooth(0.5, 0.75, noise(x * 6 + seed * 3, seed)) * near * 0.016;
  const bare = ridge(range, x);
  const top = bare - wood * (0.4 + fractal(x * 150, seed, 2)) - 0.002 * fractal(x * 90, seed, 2);
  return { top, ridge: bare, slope: (ridge(range, x + 0.02) - ridge(range, x - 0.02)) / 0.04 };
}

function isIn({ x, foot, tall }: Cypress, at: number, y: number): boolean {
  if (Math.abs(at - x) > tall * 0.11) return false;
  const up = (foot - y) / tall;
  if (up < 0 || up > 1) return false;
  const half = tall * 0.085 * Math.sin(Math.PI * (0.12 + 0.88 * (1 - up)) ** 0.8) ** 0.7;
  return Math.abs(at - x) < half * (0.75 + 0.5 * noise(at * 900, y * 500));
}

function land(
  sky: Sky,
  range: Range,
  x: number,
  y: number,
  here: Column,
  tree: boolean,
  mist: number,
  out: number[],
): void {
  const { near, seed } = range;
  const deep = y - here.ridge;
  const { warm, cool } = sky.light;
  const stretch = 1 + 5 * (1 - near);
  const patch = fractal(x * 5 + seed, deep * 14 * stretch + seed, 2);
  const field = FIELDS[Math.floor(clamp(patch * 1.6 - 0.3) * (FIELDS.length - 0.01))]!;
  const rough = fractal(x * 70 + seed, deep * 190 * stretch, 4);
  const woods = smooth(0.54, 0.6, fractal(x * 9 + seed * 2, deep * 30 * stretch, 4));
  const ground = mix(scale(field, 0.7 + 0.6 * rough), scale(TREES, 0.6 + 1.5 * rough), tree || deep < 0 ? 1 : woods);
  const facing = clamp(0.55 - here.slope * clamp((x - sky.sunX) * 5, -1, 1) * 1.1 + (rough - 0.5) * 0.6);
  const light = tree ? clamp(0.2 + 0.5 * noise(x * 500, y * 260)) : facing;
  for (let i = 0; i < 3; i += 1) out[i] = ground[i]! * (cool[i]! * 1.1 + warm[i]! * 2 * light);
  const haze = 0.86 * (1 - near) ** 1.25 + mist * 0.55 * (1 - near) * smooth(0.02, 0.16, deep);
  blend(out, hazeAt(sky, x), clamp(haze, 0, 0.95));
}
