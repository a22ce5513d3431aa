import { couple } from './figures.ts';
import { add, blend, disc, drawShapes, type Frame, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';

const STARS: readonly Rgb[] = [
  [0.75, 0.85, 1.2],
  [1, 1, 1],
  [1.15, 1, 0.8],
  [1.25, 0.85, 0.6],
];

/** A sky of stars with the Milky Way, or their trails, over hills and trees. */
export async function paintNight(frame: Frame, random: () => number): Promise<void> {
  const seed = random() * 100;
  const glow = pick<Rgb>(
    [
      [0.3, 0.16, 0.07],
      [0.1, 0.2, 0.16],
      [0.26, 0.12, 0.16],
    ],
    random,
  );
  const [angle, offset] = [between(0.5, 1.1, random) * (random() < 0.5 ? 1 : -1), between(-0.15, 0.2, random)];
  const ground = between(0.78, 0.9, random);
  const cloudy = random() < 0.35;
  shade(frame, (x, y, out) => {
    const height = ground - y;
    out[0] = 0.009 + glow[0] * 0.6 * Math.exp(-height * 4.5);
    out[1] = 0.014 + glow[1] * 0.6 * Math.exp(-height * 4.5);
    out[2] = 0.036 + glow[2] * 0.5 * Math.exp(-height * 3.5);
    const along = x * Math.cos(angle) + (y - 0.4) * Math.sin(angle);
    const across = -x * Math.sin(angle) + (y - 0.4) * Math.cos(angle) - offset;
    const cloud = fractal(along * 4 + seed, across * 6 + seed, 5);
    const dust = smooth(0.45, 0.72, fractal(along * 6 + seed * 2, across * 11, 5)) * Math.exp(-((across / 0.07) ** 2));
    const band = Math.exp(-((across / (0.1 + 0.08 * cloud)) ** 2)) * (0.35 + cloud) * (1 - 0.8 * dust);
    add(out, [0.1, 0.1, 0.135], band * 0.95);
    add(out, [0.12, 0.07, 0.06], band ** 3 * 0.7);
    if (cloudy)
      blend(out, scale(glow, 0.3), 0.7 * smooth(0.5, 0.75, fractal(x * 2 + seed, y * 7, 4)) * smooth(0.5, 0.1, height));
  });
  if (random() < 0.3) trails(frame, ground, random);
  else stars(frame, (x, y) => Math.abs(-x * Math.sin(angle) + (y - 0.4) * Math.cos(angle) - offset), random);
  land(frame, ground, seed, random() < 0.6);
  if (random() < 0.6)
    await drawShapes(frame, couple(between(-0.3, 0.3, random), ground + 0.03, 0.085), [0.004, 0.005, 0.008], 1);
}

function stars(frame: Frame, fromBand: (x: number, y: number) => number, random: () => number): void {
  const half = frame.width / frame.height / 2;
  for (let i = 0; i < 5_200; i += 1) {
    const [x, y] = [between(-half, half, random), random()];
    if (random() > 0.3 + Math.exp(-((fromBand(x, y) / 0.16) ** 2))) continue;
    const bright = Math.min(60, 0.12 / (random() + 0.0016));
    const radius = 0.00115 + 0.00042 * Math.sqrt(bright);
    disc(frame, { x, y, radius, color: pick(STARS, random), alpha: Math.min(3, bright * 0.9), fade: 1, adds: true });
    if (bright > 22) disc(frame, { x, y, radius: 0.016, color: [0.5, 0.6, 1], alpha: 0.16, fade: 1, adds: true });
  }
}

/** A long exposure: the stars turn around the pole. */
function trails(frame: Frame, ground: number, random: () => number): void {
  const [poleX, poleY] = [between(-0.25, 0.25, random), between(0.25, 0.5, random)];
  for (let i = 0; i < 420; i += 1) {
    const radius = Math.sqrt(random()) * 1.15;
    const start = random() * Math.PI * 2;
    const color = scale(pick(STARS, random), 0.05 + 0.3 * random() ** 3);
    const steps = Math.ceil(radius * 620);
    for (let k = 0; k < steps; k += 1) {
      const angle = start + (0.5 * k) / steps;
      const [x, y] = [poleX + radius * Math.cos(angle), poleY + radius * Math.sin(angle)];
      if (y < ground) disc(frame, { x, y, radius: 0.0016, color, alpha: 1, fade: 1, adds: true });
    }
  }
}

/** The black land: a hill, and the tops of trees on it. */
function land(frame: Frame, ground: number, seed: number, wooded: boolean): void {
  shade(frame, (x, y, out) => {
    const hill = ground + 0.05 * (fractal(x * 1.6 + seed, seed, 3) - 0.5);
    const nearest = ground + 0.045 + 0.03 * (noise(x * 2 + seed * 2, seed) - 0.5) - 0.006 * fractal(x * 160, 1, 2);
    const tree = wooded ? treetop(x, seed) : 0;
    const top = hill - tree;
    const dark = smooth(top - 0.0012, top + 0.0012, y);
    blend(out, [0.006, 0.008, 0.013], dark);
    blend(out, [0.0025, 0.003, 0.005], smooth(nearest - 0.001, nearest + 0.001, y));
  });
}

/** The height of the firs at a place. */
function treetop(x: number, seed: number): number {
  let tall = 0;
  for (let row = 0; row < 2; row += 1) {
    const cell = Math.floor((x + row * 0.013) / 0.03);
    for (let k = cell - 1; k <= cell + 1; k += 1) {
      const size = 0.03 + 0.1 * noise(k * 7.3 + seed, row * 5 + seed) ** 2;
      const middle = (k + noise(k * 3.1 + seed, 2 + row)) * 0.03 - row * 0.013;
      const out = Math.abs(x - middle) / (size * 0.24);
      if (out < 1) tall = Math.max(tall, size * (1 - out) + 0.008 * (noise(x * 700, k) - 0.5) * out);
    }
  }
  return smooth(0.35, 0.6, noise(x * 2.2 + seed, seed * 3)) * tall;
}
