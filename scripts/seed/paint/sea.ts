import { couple } from './figures.ts';
import { add, blend, drawShapes, type Frame, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';
import { GOLDEN, MORNING, NOON, ROSE, type Sky, skyAt } from './sky.ts';

const WATER: Rgb = [0.012, 0.05, 0.07];
const SAND: Rgb = [0.5, 0.38, 0.26];

/** The sea at some time of day, sometimes from the beach, sometimes with a boat or two people. */
export async function paintSea(frame: Frame, random: () => number): Promise<void> {
  const light = pick([GOLDEN, ROSE, MORNING, NOON, GOLDEN], random);
  const horizon = between(0.36, 0.56, random);
  const isLow = light !== NOON;
  const sky: Sky = {
    light,
    sunX: between(-0.4, 0.4, random),
    sunHeight: isLow ? between(0.03, 0.16, random) : 0.9,
    clouds: between(0.15, 0.75, random),
    seed: random() * 100,
  };
  const hasBeach = random() < 0.65;
  const shore = hasBeach ? between(0.74, 0.86, random) : 2;
  const lean = between(-0.22, 0.22, random);
  const seed = random() * 100;
  const swell = between(0.4, 1.1, random);
  const seen = [0, 0, 0];
  shade(frame, (x, y, out) => {
    if (y < horizon) return skyAt(sky, x, horizon - y, out);
    const below = y - horizon;
    const edge = shore + lean * x + 0.035 * (noise(x * 2.3 + seed, seed) - 0.5) + 0.012 * fractal(x * 9, seed, 3);
    if (y > edge + 0.05) return sand(sky, x, y, y - edge, seed, out);
    const far = 0.16 / (below + 0.004);
    const [u, v] = [x * far * 9 + seed, far * 14];
    const waves = fractal(u, v * 2.1, 4) - 0.5 + 0.5 * (fractal(u * 0.12, v * 0.55 + seed, 2) - 0.5);
    const tilt = waves * swell * (0.1 + 0.5 * smooth(0, 0.3, below));
    skyAt(sky, x + tilt * 0.2, Math.max(0.015, below * 0.85 + 0.02 + tilt), seen);
    const mirror = 0.22 + 0.7 * Math.exp(-below * 6);
    const water = mix(WATER, light === NOON ? [0.02, 0.22, 0.27] : WATER, smooth(0.1, 0.4, below));
    for (let i = 0; i < 3; i += 1) out[i] = water[i]! * (0.4 + light.horizon[i]!) + seen[i]! * mirror * 0.8;
    const column = Math.exp(-(((x - sky.sunX) / (0.035 + below * 0.4)) ** 2));
    // Finer near the viewer, where a wave has many facets.
    const fine = 1.7 + 16 * below;
    const sparkle = smooth(0.55, 0.8, fractal(u * fine * 0.6, v * fine * 0.4, 4) + tilt * 0.6);
    add(out, light.sun, sparkle * (isLow ? column * 1.5 : 0.16));
    if (hasBeach) surf(x, y - edge, seed, light.horizon, out);
  });
  const dark = scale(light.cool, 0.12);
  if (hasBeach && random() < 0.55) await drawShapes(frame, couple(between(-0.3, 0.3, random), shore + 0.09, 0.1), dark);
  else if (random() < 0.6) await drawShapes(frame, boat(between(-0.35, 0.35, random), horizon + 0.004), dark);
}

/** The last wave: white lines along the shore, and a thin sheet of water on the sand. */
function surf(x: number, beyond: number, seed: number, light: Rgb, out: number[]): void {
  const foam = fractal(x * 26 + seed, beyond * 60, 4);
  const white = scale([0.85, 0.87, 0.9], 0.35 + 0.65 * light[1]);
  for (const [at, width] of [
    [0.035, 0.009],
    [-0.05, 0.014],
    [-0.13, 0.01],
  ] as const) {
    const place = at + 0.05 * (fractal(x * 3 + at * 90, seed, 4) - 0.5);
    const line = Math.exp(-(((beyond - place) / width) ** 2));
    const spread = Math.exp(-(((beyond - place - width * 2.5) / (width * 4)) ** 2));
    blend(out, white, smooth(0.4, 0.75, foam * line + line * 0.15) * 0.75 + smooth(0.5, 0.72, foam) * spread * 0.4);
  }
}

/** Sand, which mirrors the sky where it is wet. */
function sand(sky: Sky, x: number, y: number, up: number, seed: number, out: number[]): void {
  const wet = smooth(0.19, 0.06, up);
  const seen = [0, 0, 0];
  skyAt(sky, x, 0.12 + up, seen);
  const grain = 0.78 + 0.3 * fractal(x * 60, y * 130 + seed, 4) + 0.12 * (fractal(x * 7, y * 22 + seed, 3) - 0.5);
  const { warm, cool } = sky.light;
  for (let i = 0; i < 3; i += 1) {
    const dry = SAND[i]! * (0.55 * warm[i]! + 0.75 * cool[i]!) * grain;
    out[i] = dry * (1 - 0.6 * wet) + seen[i]! * 0.42 * wet;
  }
}

/** A sailing boat, far away. */
function boat(x: number, y: number): string {
  return `<path d="M${x - 0.022} ${y - 0.006}h.05l-.009 .009h-.034z"/><path d="M${x} ${y - 0.07}v.062h-.02z"/><path d="M${x + 0.003} ${y - 0.062}l.021 .052h-.021z"/>`;
}
