import { add, blend, blur, clamp, disc, type Frame, lerp, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';

const WOODS: readonly Rgb[] = [
  [0.3, 0.15, 0.07],
  [0.42, 0.27, 0.15],
  [0.2, 0.1, 0.05],
  [0.5, 0.38, 0.25],
];
const CHINA: Rgb = [0.82, 0.8, 0.76];

/** A table for two: by candlelight, or from above at breakfast. */
export function paintTable(frame: Frame, random: () => number): void {
  if (random() < 0.5) paintCandles(frame, random);
  else paintBreakfast(frame, random);
}

/** Planks of wood: `u` along them, `v` across. */
function wood(color: Rgb, u: number, v: number, seed: number): Rgb {
  const plank = Math.floor(v * 2.3 + seed);
  const edge = Math.abs(((v * 2.3 + seed) % 1) - 0.5) * 2;
  const rings = fractal(u * 0.8 + plank * 17, v * 9 + 0.8 * fractal(u * 0.6 + plank, v * 1.2, 2), 4);
  const fiber = fractal(u * 3 + plank * 9, v * 95, 3);
  const tone = 0.72 + 0.35 * noise(plank * 3.3, seed) + 0.5 * (rings - 0.5) + 0.3 * (fiber - 0.5);
  return scale(color, tone * (1 - 0.75 * smooth(0.975, 1, edge)));
}

interface Plate {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly food: Rgb;
  readonly seed: number;
}

/** The color of a plate with food at a place, or null beside it. `light` is where the light comes from. */
function plateAt(
  { x, y, radius, food, seed }: Plate,
  u: number,
  v: number,
  light: readonly [number, number],
): Rgb | null {
  const [dx, dy] = [(u - x) / radius, (v - y) / radius];
  const out = Math.hypot(dx, dy);
  if (out > 1) return null;
  // The slope of the rim, toward or away from the light.
  const facing = (dx * light[0] + dy * light[1]) / Math.max(0.01, out);
  const slope = smooth(0.62, 0.7, out) * smooth(0.8, 0.72, out);
  const lip = smooth(0.95, 0.985, out);
  const color = scale(CHINA, 0.86 - 0.34 * slope * facing + 0.2 * lip * facing - 0.12 * smooth(0.99, 1, out));
  const ragged = out + 0.14 * (fractal(dx * 3 + seed, dy * 3, 3) - 0.5);
  if (ragged > 0.52) return scale(color, 1 - 0.28 * smooth(0.62, 0.52, ragged));
  const bumps = fractal(dx * 11 + seed, dy * 11, 4);
  const relief = bumps - fractal((dx + light[0] * 0.035) * 11 + seed, (dy + light[1] * 0.035) * 11, 4);
  const herbs = smooth(0.7, 0.74, fractal(dx * 21 + seed * 3, dy * 21, 2));
  return mix(scale(food, 0.75 + 0.5 * bumps + 2.6 * relief), [0.08, 0.16, 0.03], herbs * 0.85);
}

function paintCandles(frame: Frame, random: () => number): void {
  const seed = random() * 100;
  const half = frame.width / frame.height / 2;
  const edge = between(0.44, 0.52, random);
  const color = pick(WOODS.slice(0, 3), random);
  const candles = Array.from({ length: Math.ceil(random() * 3) }, (_, i) => ({
    x: between(-0.1, 0.1, random) + (i - 0.7) * between(0.17, 0.3, random),
    foot: edge + between(0.04, 0.12, random),
    tall: between(0.16, 0.34, random),
  })).sort((a, b) => a.foot - b.foot);
  const food = pick<Rgb>(
    [
      [0.75, 0.55, 0.22],
      [0.6, 0.2, 0.1],
      [0.78, 0.68, 0.42],
    ],
    random,
  );
  const plates = [between(-0.75, -0.5, random), between(0.5, 0.75, random)].map((x, i) => ({
    x,
    y: between(1.75, 1.95, random),
    radius: 0.45,
    food,
    seed: seed + i,
  }));
  shade(frame, (x, y, out) => {
    const warm = Math.exp(-Math.hypot(x, y - 0.35) * 2.2);
    for (let i = 0; i < 3; i += 1)
      out[i] =
        [0.022, 0.013, 0.011][i]! + [0.2, 0.085, 0.03][i]! * warm * (0.6 + 0.8 * fractal(x * 2 + seed, y * 2, 3));
  });
  for (let i = 0; i < 34; i += 1) {
    const place = {
      x: between(-half, half, random),
      y: between(0.02, edge - 0.03, random),
      radius: between(0.012, 0.05, random),
    };
    disc(frame, {
      ...place,
      color: pick<Rgb>(
        [
          [1.3, 0.65, 0.22],
          [1.1, 0.75, 0.4],
          [1.2, 0.45, 0.2],
        ],
        random,
      ),
      alpha: between(0.1, 0.5, random),
      fade: 0.12,
      rim: 0.7,
      adds: true,
    });
  }
  shade(frame, (x, y, out) => {
    if (y < edge) return;
    // The place on the table, seen from above its edge.
    const far = 0.62 / (y - edge + 0.26);
    const [u, v] = [x * far * 1.35, 2.9 - far];
    let surface = wood(color, v * 1.4, u * 1.2, seed);
    for (const plate of plates) surface = plateAt(plate, u, v, [-0.3, -0.95]) ?? shadowed(surface, plate, u, v);
    candlelight(candles, x, y, surface, out);
  });
  blur(frame, 0.008, (_x, y) => smooth(edge + 0.16, edge + 0.02, y) + smooth(0.84, 1, y));
  for (const candle of candles) drawCandle(frame, candle);
  for (const side of [-1, 1])
    if (random() < 0.85) drawGlass(frame, side * between(0.2, 0.4, random), edge + between(0.12, 0.18, random), random);
}

function shadowed(surface: Rgb, { x, y, radius }: Plate, u: number, v: number): Rgb {
  return scale(surface, 1 - 0.6 * smooth(1.16, 1, Math.hypot(u - x, v - y - 0.03) / radius));
}

interface Candle {
  readonly x: number;
  readonly foot: number;
  readonly tall: number;
}

function candlelight(candles: readonly Candle[], x: number, y: number, surface: Rgb, out: number[]): void {
  let [light, gloss] = [0.09, 0];
  for (const { x: at, foot } of candles) {
    const away = Math.hypot(x - at, (y - foot) * 2.1);
    light += 0.5 / (0.16 + away * away * 5);
    gloss += Math.exp(-(((x - at) / 0.035) ** 2)) * smooth(0, 0.03, y - foot) * Math.exp(-(y - foot) * 6);
  }
  for (let i = 0; i < 3; i += 1) out[i] = surface[i]! * light * [1, 0.6, 0.3][i]!;
  add(out, [0.5, 0.26, 0.1], gloss * 0.5 * (0.4 + surface[0]));
}

function drawCandle(frame: Frame, { x, foot, tall }: Candle): void {
  const top = foot - tall;
  const wide = 0.021;
  shade(frame, (px, y, out) => {
    const across = (px - x) / wide;
    const rounded = foot + 0.008 * Math.sqrt(Math.max(0, 1 - across * across));
    if (Math.abs(across) < 1 && y > top + 0.004 * Math.abs(across) && y < rounded) {
      const glow = Math.exp(-(y - top) * 12);
      const round = 0.42 + 0.58 * Math.sqrt(1 - across * across);
      const color = mix([0.46, 0.3, 0.17], [1.5, 0.85, 0.36], glow);
      blend(out, scale(color, round), smooth(1, 0.93, Math.abs(across)));
    }
    const up = (top - 0.006 - y) / 0.058;
    const flame = Math.hypot((px - x) / (0.0105 * (1 - 0.75 * clamp(up, 0, 1))), (up - 0.42) / 0.56);
    add(out, [5, 3.2, 1.3], smooth(1, 0.35, flame));
    add(
      out,
      [1, 0.5, 0.16],
      0.75 * Math.exp(-Math.hypot(px - x, y - top + 0.03) * 15) + 0.1 * Math.exp(-Math.hypot(px - x, y - top) * 4.5),
    );
    if (Math.abs(px - x) < 0.0014 && y < top + 0.002 && y > top - 0.014) blend(out, [0.05, 0.02, 0.01], 0.8);
  });
}

/** A wine glass: its bowl with wine, its stem and foot, and the light on their edges. */
function drawGlass(frame: Frame, x: number, foot: number, random: () => number): void {
  const wine: Rgb = random() < 0.6 ? [0.16, 0.012, 0.02] : [0.55, 0.36, 0.1];
  const size = between(0.3, 0.36, random);
  shade(frame, (px, y, out) => {
    const up = (foot - y) / size;
    if (up < -0.06 || up > 1) return;
    const bowl = clamp((up - 0.42) / 0.58);
    const wide =
      size *
      (up > 0.42
        ? 0.235 * Math.sin(Math.PI * (0.04 + 0.7 * bowl ** 0.8)) ** 0.75
        : 0.012 + 0.17 * smooth(0.035, 0, up));
    const across = (px - x) / Math.max(0.001, wide);
    if (Math.abs(across) > 1) return;
    const rim = smooth(0.82, 0.97, Math.abs(across));
    if (up > 0.44 && up < 0.72) {
      const lightThrough = 0.5 + 1.6 * smooth(0.2, 0.9, across * 0.5 + 0.5) * smooth(0.44, 0.7, up);
      blend(out, scale(wine, lightThrough), 0.86);
    }
    const isSurface = up > 0.705 && up < 0.72 + 0.012 * Math.sqrt(Math.max(0, 1 - across * across));
    if (isSurface) add(out, [0.5, 0.26, 0.12], 0.25);
    add(out, [0.9, 0.55, 0.28], 0.3 * rim * (up > 0.42 ? 1 : 0.7));
    const shine = Math.exp(-(((across + 0.55) / 0.09) ** 2)) * smooth(0.5, 0.62, up) * smooth(0.98, 0.85, up);
    add(out, [1.5, 1, 0.6], 0.5 * shine);
    if (up > 0.985) add(out, [1, 0.65, 0.35], 0.25);
  });
}

/** Breakfast from above: plates, cups, and the light of a window from one side. */
function paintBreakfast(frame: Frame, random: () => number): void {
  const seed = random() * 100;
  const half = frame.width / frame.height / 2;
  const color = pick(WOODS, random);
  const turned = random() < 0.5;
  const light = [random() < 0.5 ? -0.8 : 0.8, -0.6] as const;
  const food = pick<Rgb>(
    [
      [0.72, 0.5, 0.16],
      [0.42, 0.2, 0.08],
      [0.5, 0.15, 0.06],
    ],
    random,
  );
  const plates = [-1, 1].map((side) => ({
    x: side * half * between(0.45, 0.6, random),
    y: 0.5 + side * between(-0.3, 0.3, random),
    radius: between(0.5, 0.58, random) * Math.min(0.5, half),
    food,
    seed: seed + side,
  }));
  const cups = [-1, 1]
    .map((side) => ({
      x: side * half * between(0.05, 0.3, random),
      y: side * between(0.24, 0.34, random) + 0.5,
      radius: between(0.12, 0.14, random),
    }))
    .filter((cup) => plates.every((plate) => Math.hypot(cup.x - plate.x, cup.y - plate.y) > plate.radius + cup.radius));
  const linen = between(-half, half, random) > 0 ? half * 0.62 : -half * 0.62;
  shade(frame, (x, y, out) => {
    let surface = wood(color, (turned ? y : x) * 2, (turned ? x : y) * 2, seed);
    const cloth = Math.abs(x - linen + 0.1 * (y - 0.5)) < 0.16 + 0.004 * noise(y * 30, seed);
    if (cloth)
      surface = scale(
        [0.62, 0.58, 0.5],
        0.75 + 0.3 * fractal(x * 5 + seed, y * 2, 3) + 0.14 * Math.sin(x * 620) * Math.sin(y * 620),
      );
    let shadow = 1;
    for (const { x: at, y: down, radius } of [...plates, ...cups]) {
      const away = Math.hypot(x - at + light[0] * 0.03, y - down + light[1] * 0.03) / radius;
      shadow *= 1 - 0.62 * smooth(1.12, 0.94, away);
    }
    surface = scale(surface, shadow);
    for (const plate of plates) surface = plateAt(plate, x, y, light) ?? surface;
    for (const cup of cups) surface = cupAt(cup, x, y, light) ?? surface;
    const bar = smooth(0.42, 0.58, fractal((x * light[1] - y * light[0]) * 2.4 + seed, seed, 2));
    const window = lerp(0.42, 1.12, bar) * (0.9 + 0.35 * (x * Math.sign(light[0])) - 0.2 * (y - 0.5));
    for (let i = 0; i < 3; i += 1) out[i] = surface[i]! * window * [1.06, 0.97, 0.84][i]!;
  });
}

/** A cup of coffee on its saucer, with a heart in the milk. */
function cupAt(
  { x, y, radius }: { x: number; y: number; radius: number },
  u: number,
  v: number,
  light: readonly [number, number],
): Rgb | null {
  const [dx, dy] = [(u - x) / radius, (v - y) / radius];
  const out = Math.hypot(dx, dy);
  const handle = Math.abs(Math.hypot(dx - 0.72, dy + 0.1) - 0.16) < 0.05 && dx > 0.6;
  if (out > 1) return null;
  const facing = (dx * light[0] + dy * light[1]) / Math.max(0.01, out);
  if (out > 0.62) {
    if (handle) return scale(CHINA, 0.85 - 0.2 * facing);
    const shade =
      0.84 + 0.22 * smooth(0.9, 0.97, out) * facing - 0.2 * smooth(0.8, 0.62, out) * (facing < 0 ? 1.4 : 0.6);
    return scale(CHINA, shade);
  }
  if (out > 0.54) return scale(CHINA, 0.98 - 0.16 * facing);
  const [hx, hy] = [dx * 3, -dy * 3 - 0.1];
  const heart = (hx * hx + hy * hy - 0.62) ** 3 - hx * hx * hy * hy * hy;
  const swirl = fractal(dx * 5, dy * 5, 3);
  const coffee = mix([0.24, 0.1, 0.035], [0.4, 0.2, 0.08], swirl);
  const milk = smooth(0.03, -0.02, heart + 0.04 * (swirl - 0.5));
  return scale(mix(coffee, [0.8, 0.68, 0.5], milk), 1 - 0.45 * smooth(0.4, 0.54, out) * (0.5 - 0.5 * facing));
}
