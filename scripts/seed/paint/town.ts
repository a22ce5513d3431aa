import { add, blend, clamp, type Frame, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';
import { GOLDEN, hazeAt, type Light, MORNING, NOON, ROSE, type Sky, skyAt } from './sky.ts';

const STUCCO: readonly Rgb[] = [
  [0.62, 0.4, 0.2],
  [0.66, 0.48, 0.3],
  [0.55, 0.3, 0.18],
  [0.7, 0.6, 0.45],
  [0.58, 0.42, 0.32],
];
const SHUTTERS: readonly Rgb[] = [
  [0.05, 0.11, 0.07],
  [0.13, 0.07, 0.04],
  [0.1, 0.13, 0.14],
];
const TILES: Rgb = [0.42, 0.18, 0.09];

/** An old town: one of its lanes, or its roofs in the evening. */
export function paintTown(frame: Frame, random: () => number): void {
  if (random() < 0.62) paintLane(frame, random);
  else paintRoofs(frame, random);
}

interface Lane {
  readonly light: Light;
  readonly sky: Sky;
  readonly seed: number;
  /** Half of its width; the height of the eyes is 1. */
  readonly half: number;
  /** Where its lines meet. */
  readonly x: number;
  readonly y: number;
  /** The side in the sun, and how far down the sun comes. */
  readonly sunny: number;
  readonly shadow: number;
  readonly wet: boolean;
  /** Where a house closes it. */
  readonly end: number;
}

function paintLane(frame: Frame, random: () => number): void {
  const light = pick([GOLDEN, MORNING, NOON], random);
  const lane: Lane = {
    light,
    sky: { light, sunX: 0.3, sunHeight: 0.9, clouds: between(0, 0.5, random), seed: random() * 100 },
    seed: random() * 100,
    half: between(1.5, 2.3, random),
    x: between(-0.14, 0.14, random),
    y: between(0.56, 0.64, random),
    sunny: random() < 0.5 ? -1 : 1,
    shadow: between(2.2, 4.2, random),
    wet: random() < 0.3,
    end: between(26, 44, random),
  };
  shade(frame, (x, y, out) => {
    // A ray from the eyes: to the right, up, and ahead.
    const [right, up] = [(x - lane.x) * 1.15, (lane.y - y) * 1.15];
    const toWall = lane.half / Math.max(1e-6, Math.abs(right));
    const toFloor = up < 0 ? 1 / -up : Number.POSITIVE_INFINITY;
    const ahead = Math.min(toWall, toFloor, lane.end);
    const height = 1 + up * ahead;
    if (ahead === toFloor) paving(lane, right * ahead, ahead, out);
    else if (ahead === lane.end) facade(lane, { side: 0, along: right * ahead + 40, height, ahead }, x, y, out);
    else facade(lane, { side: Math.sign(right), along: ahead, height, ahead }, x, y, out);
    blend(out, scale(hazeAt(lane.sky, x), 0.75), 1 - Math.exp(-ahead * 0.016));
  });
}

interface Spot {
  /** -1 is the left wall, 1 the right one, 0 the house at the end. */
  readonly side: number;
  readonly along: number;
  readonly height: number;
  readonly ahead: number;
}

/** A wall of houses, each with its color, windows with shutters, a door and a roof; above it is the sky. */
function facade(lane: Lane, { side, along, height, ahead }: Spot, x: number, y: number, out: number[]): void {
  const wide = 6.4;
  const shifted = along + side * 2.3 + lane.seed;
  const house = Math.floor(shifted / wide);
  const within = (shifted / wide - house) * wide;
  const value = (k: number) => noise(house * 5.37 + k * 3.1 + lane.seed, side * 7.7 + k);
  const roof = 6.6 + 3.4 * value(1);
  if (height > roof) {
    const eaves = height < roof + 0.25 && side !== 0;
    if (!eaves) return skyAt(lane.sky, x, lane.y - y + 0.1, out);
  }
  const [u, v] = [along * 1.1 + side * 50, height * 1.1];
  const stain = fractal(u * 0.6, v * 0.3 + lane.seed, 5);
  const rough = fractal(u * 9, v * 9, 3);
  const color = STUCCO[Math.floor(value(2) * 2.2 * STUCCO.length) % STUCCO.length]!;
  let wall = scale(color, 0.6 + 0.55 * stain + 0.22 * (rough - 0.5));
  // Where plaster has come off, there is stone.
  wall = mix(wall, scale([0.36, 0.3, 0.24], 0.55 + 0.8 * fractal(u * 3.4, v * 6, 3)), smooth(0.6, 0.66, stain) * 0.8);
  if (height < 0.75) wall = mix(wall, [0.27, 0.25, 0.23], 0.75);
  if (height > roof - 0.15) wall = scale(TILES, 0.5 + 0.5 * rough);
  const sun =
    side === lane.sunny || side === 0
      ? smooth(-0.2, 0.2, height - lane.shadow - 0.11 * ahead * (side === 0 ? 0 : 1) + 0.35 * (stain - 0.5))
      : 0;
  const glass = opening(lane, within, height, roof, value, (next) => (wall = next), wall);
  const { warm, cool } = lane.light;
  const ambient = 0.36 + 0.075 * Math.min(height, 7) + 0.25 * smooth(0.8, 3.5, lane.half);
  for (let i = 0; i < 3; i += 1) out[i] = wall[i]! * (cool[i]! * 1.4 * ambient + warm[i]! * (0.16 + 1.35 * sun));
  if (glass > 0) add(out, lane.light.horizon, glass * (0.05 + 0.12 * smooth(0.2, 0.9, fractal(u * 1.2, v * 0.5, 2))));
}

/** A window, a shutter or a door at this place of a house. Returns how much its glass mirrors. */
function opening(
  lane: Lane,
  within: number,
  height: number,
  roof: number,
  value: (k: number) => number,
  paint: (color: Rgb) => void,
  wall: Rgb,
): number {
  const column = Math.floor(within / 2.13);
  const across = within - column * 2.13 - 1.065;
  const storey = Math.floor((height - 0.35) / 2.7);
  const up = height - 0.35 - storey * 2.7;
  if (storey === 0 && column === Math.floor(value(9) * 2.99)) {
    const arch = up < 1.75 + 0.35 * Math.sqrt(Math.max(0, 1 - (across / 0.55) ** 2)) ? Math.abs(across) : 9;
    if (arch < 0.55) paint(scale([0.15, 0.08, 0.045], 0.5 + 0.6 * smooth(0, 0.03, Math.abs((across * 6.5) % 1))));
    else if (arch < 0.68) paint([0.42, 0.38, 0.33]);
    return 0;
  }
  if (up < 0.75 || up > 2.2 || storey * 2.7 + 2.75 > roof || (storey === 0 && value(11) > 0.5)) return 0;
  const shutter = SHUTTERS[Math.floor(value(6) * 2.9)]!;
  const isOpen = noise(column * 9 + storey * 5 + value(3) * 70, lane.seed) > 0.38;
  const out = Math.abs(across);
  if (out < 0.4) {
    if (!isOpen) {
      paint(scale(shutter, 0.75 + 0.6 * smooth(0.2, 0.8, (up * 16) % 1)));
      return 0;
    }
    const bars = Math.min(out, Math.abs(up - 1.5)) < 0.03 || out > 0.36;
    paint(bars ? [0.55, 0.52, 0.47] : [0.025, 0.028, 0.035]);
    return bars ? 0 : 1;
  }
  if (out < 0.46) paint([0.5, 0.46, 0.4]);
  else if (isOpen && out < 0.84) paint(scale(shutter, 0.8 + 0.6 * smooth(0.2, 0.8, (up * 16) % 1)));
  else if (up < 0.85 && out < 0.6) paint(mix(wall, [0.5, 0.46, 0.4], 0.8));
  return 0;
}

/** Paving stones, worn and sometimes wet. */
function paving(lane: Lane, x: number, ahead: number, out: number[]): void {
  const row = Math.floor(ahead * 2.2);
  const [u, v] = [x * 1.5 + (row % 2) * 0.5 + 0.3 * noise(row * 7, lane.seed), ahead * 2.2];
  const [inU, inV] = [u - Math.floor(u), v - row];
  const joint = Math.min(inU, 1 - inU, (1 - inV) * 0.8, inV * 0.8);
  const stone = noise(Math.floor(u) * 3.7 + lane.seed, row * 5.1);
  const rough = fractal(x * 16, ahead * 16, 4);
  const crisp = Math.exp(-ahead * 0.09);
  const base = mix([0.26, 0.24, 0.22], [0.4, 0.36, 0.31], stone * 0.7 + rough * 0.3);
  const dirt = 1 - 0.6 * crisp * smooth(0.07, 0.015, joint) - 0.22 * smooth(0.62, 1, Math.abs(x) / lane.half);
  const { warm, cool, horizon } = lane.light;
  for (let i = 0; i < 3; i += 1) out[i] = base[i]! * dirt * (0.6 + 0.7 * rough) * (cool[i]! * 0.75 + warm[i]! * 0.26);
  const puddle = lane.wet ? smooth(0.46, 0.6, fractal(x * 0.8 + lane.seed, ahead * 0.5, 3)) : 0.14;
  const grazing = clamp(ahead * 0.06);
  add(out, horizon, puddle * (0.07 + 0.4 * grazing) * Math.exp(-((x / (lane.half * 0.55)) ** 2)) * (0.5 + rough));
}

/** The roofs from above, to the hills in the evening sun. */
function paintRoofs(frame: Frame, random: () => number): void {
  const light = pick([GOLDEN, ROSE, GOLDEN], random);
  const horizon = between(0.34, 0.46, random);
  const sky: Sky = {
    light,
    sunX: between(-0.4, 0.4, random),
    sunHeight: between(0.05, 0.14, random),
    clouds: between(0.2, 0.6, random),
    seed: random() * 100,
  };
  const seed = random() * 100;
  const [domeX, towerX] = [between(-0.3, 0.05, random), between(0.12, 0.35, random)];
  const rows = 15;
  shade(frame, (x, y, out) => {
    for (let row = rows; row >= 0; row -= 1) if (roofRow(sky, row / rows, horizon, seed + row * 13, x, y, out)) return;
    if (landmarks(sky, horizon, domeX, towerX, x, y, out)) return;
    const hills = horizon - 0.035 - 0.05 * fractal(x * 2.2 + seed, 3, 4);
    skyAt(sky, x, horizon - y, out);
    if (y > hills) blend(out, mix(hazeAt(sky, x), [0.12, 0.14, 0.2], 0.35), 0.9);
  });
}

/** A row of houses with tiled roofs. Returns whether it covers this place. */
function roofRow(sky: Sky, near: number, horizon: number, seed: number, x: number, y: number, out: number[]): boolean {
  const size = 0.03 + 0.2 * near ** 1.4;
  const base = horizon + 0.03 + 0.62 * near ** 1.5;
  const house = Math.floor(x / size + seed);
  const within = x / size + seed - house;
  const value = (k: number) => noise(house * 4.3 + k, seed + k * 2);
  const eaves = base - size * (0.25 + 0.5 * value(1));
  const across = Math.abs(within - 0.5) * 2;
  const gable = value(4) > 0.5;
  const ridge = eaves - size * 0.24 * (gable ? 1 - across : smooth(1, 0.9, across));
  const chimney = Math.abs(within - 0.2 - 0.6 * value(6)) < 0.04 && y > eaves - size * 0.36;
  if (y < ridge && !chimney) return false;
  const { warm, cool } = sky.light;
  const toSun = clamp(0.5 + (within - 0.5) * Math.sign(sky.sunX - x) * 1.2);
  const rough = fractal(x * 40 + seed, y * 40, 3);
  let color: Rgb = scale(STUCCO[Math.floor(value(2) * 4.9)]!, 0.75 + 0.4 * rough);
  let sun = 0.25 * toSun;
  if (y < eaves && !chimney) {
    const tiles = 0.72 + 0.28 * Math.sin((x / size) * 95) * near;
    color = scale(mix(TILES, [0.5, 0.28, 0.16], value(7) * 0.8), tiles * (0.6 + 0.7 * rough));
    sun = gable ? 0.2 + 0.75 * toSun : 0.6;
  } else if (!chimney) {
    const pane = Math.abs(((within * 4) % 1) - 0.5) < 0.16 && Math.abs(((((y - eaves) / size) * 4.5) % 1) - 0.5) < 0.25;
    if (pane) color = [0.045, 0.04, 0.042];
    if (pane && noise(Math.floor(within * 4) + house * 9, Math.floor(((y - eaves) / size) * 4.5) + seed) > 0.78)
      return lit(out);
  }
  for (let i = 0; i < 3; i += 1) out[i] = color[i]! * (cool[i]! * 1.1 + warm[i]! * 1.9 * sun);
  blend(out, hazeAt(sky, x), 0.72 * (1 - near) ** 1.7);
  return true;
}

function lit(out: number[]): true {
  for (let i = 0; i < 3; i += 1) out[i] = [1.3, 0.8, 0.36][i]!;
  return true;
}

/** A dome with its lantern, and a tower, far away in the haze. */
function landmarks(
  sky: Sky,
  horizon: number,
  domeX: number,
  towerX: number,
  x: number,
  y: number,
  out: number[],
): boolean {
  const up = horizon + 0.05 - y;
  const across = (x - domeX) / 0.085;
  const isDome = Math.abs(across) < 1 && up < 0.11 + 0.115 * Math.sqrt(1 - across ** 2) ** 1.2;
  const isLantern = Math.abs(across) < 0.12 && up < 0.262 - 0.1 * Math.abs(across);
  const isTower = Math.abs(x - towerX) < (up > 0.2 ? 0.02 : 0.016) && up < 0.235;
  const isSpire = Math.abs(x - towerX) < 0.013 * (1 - (up - 0.235) / 0.04) && up >= 0.235 && up < 0.275;
  if (!isDome && !isLantern && !isTower && !isSpire) return false;
  const side = (isTower || isSpire ? (x - towerX) / 0.016 : across) * Math.sign(sky.sunX - x);
  const rib = isDome && up > 0.11 ? 0.85 + 0.15 * smooth(0, 0.12, Math.abs(((across * 4) % 1) - 0.5)) : 1;
  const color = scale(
    isDome && up > 0.11 ? [0.4, 0.17, 0.09] : [0.5, 0.42, 0.33],
    rib * (0.8 + 0.3 * fractal(x * 120, y * 120, 2)),
  );
  const { warm, cool } = sky.light;
  for (let i = 0; i < 3; i += 1) out[i] = color[i]! * (cool[i]! + warm[i]! * 1.1 * clamp(0.45 + 0.5 * side));
  blend(out, hazeAt(sky, x), 0.4);
  return true;
}
