import { add, blend, blur, disc, type Frame, lerp, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';
import { BLUE_HOUR, type Sky, skyAt } from './sky.ts';

const LAMPS: readonly Rgb[] = [
  [2.2, 1.15, 0.42],
  [2, 1.25, 0.6],
  [2.3, 0.95, 0.3],
  [1.6, 1.4, 1.1],
];
const SIGNS: readonly Rgb[] = [
  [1.9, 0.25, 0.2],
  [0.3, 1.2, 0.75],
  [0.4, 0.7, 1.8],
  [1.8, 0.4, 0.8],
];

/** The city after sunset: a street out of focus, or the lit bank of a river. */
export function paintLights(frame: Frame, random: () => number): void {
  if (random() < 0.5) paintStreet(frame, random);
  else paintRiver(frame, random);
}

function paintStreet(frame: Frame, random: () => number): void {
  const seed = random() * 100;
  const [middle, horizon] = [between(-0.15, 0.15, random), between(0.5, 0.6, random)];
  shade(frame, (x, y, out) => {
    const depth = Math.abs(y - horizon);
    const wall = smooth(0.04, 0.5, Math.abs(x - middle) - depth * 0.2);
    const warm = Math.exp(-Math.hypot(x - middle, (y - horizon) * 1.3) * 3.2);
    const rough = 0.7 + 0.6 * fractal(x * 5 + seed, y * 5, 4);
    out[0] = (0.014 + 0.2 * warm + 0.014 * wall) * rough;
    out[1] = (0.013 + 0.1 * warm + 0.008 * wall) * rough;
    out[2] = 0.026 + 0.05 * warm;
    if (y < horizon) add(out, [0.01, 0.014, 0.045], smooth(0.3, 0, Math.abs(x - middle)) * smooth(0, 0.5, depth));
  });
  for (const side of [-1, 1]) lampRow(frame, side, middle, horizon, random);
  for (let i = 0; i < 46; i += 1) {
    const near = random() ** 2;
    const x = middle + between(-0.85, 0.85, random) * (0.25 + near);
    bokeh(
      frame,
      x,
      horizon + between(-0.22, 0.05, random) * (0.4 + near),
      0.008 + near * 0.03,
      pick(random() < 0.7 ? LAMPS : SIGNS, random),
      0.5,
      horizon,
    );
  }
  rain(frame, random);
}

/** The lamps of one side of the street, from far to near. */
function lampRow(frame: Frame, side: number, middle: number, horizon: number, random: () => number): void {
  const color = pick(LAMPS, random);
  for (let i = 10; i >= 1; i -= 1) {
    const near = 1 / i;
    const x = middle + side * (0.07 + 0.85 * near) * between(0.92, 1.08, random);
    bokeh(frame, x, horizon - 0.06 - 0.42 * near, 0.012 + 0.06 * near, color, 0.75, horizon);
  }
}

/** A light out of focus, and its image on the wet street. */
function bokeh(frame: Frame, x: number, y: number, radius: number, color: Rgb, alpha: number, horizon: number): void {
  disc(frame, { x, y, radius, color, alpha, fade: 0.08, rim: 0.8, adds: true });
  const below = horizon + (horizon - y) * 0.75 + radius;
  for (let i = 0; i < 5; i += 1) {
    const drop = { x: x + (i - 2) * radius * 0.12, y: below + (i - 2) * radius * 0.9 };
    disc(frame, { ...drop, radius: radius * 0.8, color, alpha: alpha * 0.1, fade: 0.9, adds: true, wide: 1.15 });
  }
}

/** Drops on the lens or the window, each with a bright edge. */
function rain(frame: Frame, random: () => number): void {
  const half = frame.width / frame.height / 2;
  for (let i = 0; i < 26; i += 1) {
    const [x, y, radius] = [between(-half, half, random), random(), between(0.004, 0.013, random)];
    disc(frame, { x, y, radius, color: [0.4, 0.28, 0.17], alpha: 0.16, fade: 0.5, rim: 1.4, adds: true });
    disc(frame, {
      x: x - radius * 0.3,
      y: y - radius * 0.4,
      radius: radius * 0.25,
      color: [1, 0.85, 0.6],
      alpha: 0.35,
      fade: 1,
      adds: true,
    });
  }
}

function paintRiver(frame: Frame, random: () => number): void {
  const seed = random() * 100;
  const bank = between(0.46, 0.58, random);
  const sky: Sky = {
    light: BLUE_HOUR,
    sunX: between(-0.4, 0.4, random),
    sunHeight: -0.02,
    clouds: between(0.2, 0.6, random),
    seed,
  };
  shade(frame, (x, y, out) => skyAt(sky, x, Math.abs(bank - y), out));
  shade(frame, (x, y, out) => {
    if (y > bank) return;
    for (const near of [0, 1]) {
      const top = bank - roofs(x, seed + near * 31, near);
      const color = scale([0.034, 0.036, 0.058], near === 0 ? 1.7 : 0.75);
      blend(out, color, smooth(top - 0.001, top + 0.001, y));
    }
  });
  const lamps = bankLights(frame, bank, seed, random);
  blur(frame, 0.0012);
  reflect(frame, bank, seed);
  for (const { x, y, color, size } of lamps) {
    disc(frame, { x, y, radius: size, color, alpha: 1.6, fade: 0.9, adds: true });
    streak(frame, x, bank, y, color, size, seed);
  }
}

/** The height of the houses on the bank, with a tower or a dome among them. */
function roofs(x: number, seed: number, near: number): number {
  const house = Math.floor((x + 3) / (0.045 + 0.02 * near));
  const tall = 0.035 + 0.05 * noise(house * 3.7 + seed, seed) + 0.02 * near;
  const within = ((x + 3) / (0.045 + 0.02 * near)) % 1;
  const roof = 0.011 * (1 - Math.abs(within - 0.5) * 2);
  const tower = near === 0 && Math.abs(x - ((seed % 0.6) - 0.3)) < 0.011 ? 0.19 : 0;
  const fromDome = (x - ((seed * 1.7) % 0.7) + 0.35) / 0.055;
  const dome = near === 0 && Math.abs(fromDome) < 1 ? 0.075 + 0.055 * Math.sqrt(1 - fromDome ** 2) : 0;
  const lantern = near === 0 && Math.abs(fromDome) < 0.09 ? 0.165 : 0;
  return Math.max(tall + roof, tower, dome, lantern);
}

interface Lamp {
  readonly x: number;
  readonly y: number;
  readonly color: Rgb;
  readonly size: number;
}

/** Windows and street lamps. */
function bankLights(frame: Frame, bank: number, seed: number, random: () => number): Lamp[] {
  const half = frame.width / frame.height / 2;
  for (let i = 0; i < 260; i += 1) {
    const x = between(-half, half, random);
    const y = bank - roofs(x, seed + 31, 1) * between(0.15, 0.85, random);
    const color = scale(pick(LAMPS, random), 0.2 + 0.5 * random());
    disc(frame, {
      x: Math.round(x * 190) / 190,
      y: Math.round(y * 120) / 120,
      radius: 0.0032,
      color,
      alpha: 0.9,
      fade: 0.5,
      wide: 0.7,
    });
  }
  return Array.from({ length: 15 }, (_, i) => ({
    x: -half + ((i + between(0.3, 0.7, random)) * 2 * half) / 15,
    y: bank - 0.012 - 0.006 * random(),
    color: pick(LAMPS, random),
    size: between(0.0045, 0.009, random),
  }));
}

/** Mirrors the upper part in the water, moved by its waves. */
function reflect({ width, height, pixels }: Frame, bank: number, seed: number): void {
  const from = Float32Array.from(pixels);
  const edge = Math.round(bank * height);
  for (let row = edge; row < height; row += 1) {
    const below = (row - edge) / height;
    for (let column = 0; column < width; column += 1) {
      const wave =
        fractal((column / height) * 9 * (0.4 + 1 / (1 + below * 9)) + seed, (60 / (0.09 + below)) * 0.12, 3) - 0.5;
      const source = Math.round(edge - (below * 1.08 + wave * (0.03 + below * 0.35)) * height);
      const at = (Math.max(0, Math.min(edge - 1, source)) * width + column) * 3;
      for (let i = 0; i < 3; i += 1)
        pixels[(row * width + column) * 3 + i] = from[at + i]! * 0.62 + [0.002, 0.004, 0.008][i]!;
    }
  }
}

/** The image of a lamp in moving water: a broken line down to the viewer. */
function streak(frame: Frame, x: number, bank: number, y: number, color: Rgb, size: number, seed: number): void {
  for (let i = 0; i < 70; i += 1) {
    const part = i / 70;
    const at = bank + (bank - y) + part * 0.3;
    const lit = smooth(0.35, 0.75, noise(x * 60 + seed, i * 0.9)) * (1 - part) ** 1.4;
    const drift = (noise(x * 40 + seed, i * 0.7) - 0.5) * (0.006 + 0.035 * part);
    disc(frame, {
      x: x + drift,
      y: at,
      radius: lerp(0.0025, 0.006, part),
      color,
      alpha: 0.5 * lit * (size / 0.006),
      fade: 0.9,
      adds: true,
      wide: 2.6 + 2 * part,
    });
  }
}
