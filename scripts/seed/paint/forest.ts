import { add, blend, blur, clamp, disc, type Frame, lerp, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';

/** Under trees in the morning, or blossoms with the garden out of focus behind them. */
export function paintForest(frame: Frame, random: () => number): void {
  if (random() < 0.2) paintWood(frame, random);
  else paintBlossoms(frame, random);
}

function paintWood(frame: Frame, random: () => number): void {
  const seed = random() * 100;
  const sunX = between(-0.3, 0.3, random);
  const autumn = random() < 0.4;
  const air: Rgb = autumn ? [1, 0.78, 0.42] : [0.86, 0.95, 0.6];
  const leaf: Rgb = autumn ? [0.5, 0.23, 0.05] : [0.16, 0.3, 0.05];
  const ground = 0.72;
  shade(frame, (x, y, out) => {
    const toSun = Math.hypot(x - sunX, (y - 0.34) * 0.9);
    const bright = 0.22 + 1.15 * Math.exp(-toSun * 2.6);
    const leaves = fractal(x * 7 + seed, y * 7, 5);
    const color = mix(scale(air, bright), scale(leaf, 0.4 + bright), smooth(0.42, 0.62, leaves) * smooth(0.75, 0.1, y));
    for (let i = 0; i < 3; i += 1) out[i] = color[i]!;
  });
  for (let layer = 0; layer < 5; layer += 1) trunks(frame, layer / 4, ground, air, sunX, random);
  const [path, bend] = [between(-0.15, 0.15, random), between(-0.5, 0.5, random)];
  shade(frame, (x, y, out) => {
    crown(x, y, seed, leaf, sunX, out);
    if (y > ground - 0.03) floor(x, y, ground, { seed, leaf, air, sunX, path, bend, autumn }, out);
    const toSun = Math.hypot(x - sunX, y - 0.2);
    const angle = Math.atan2(x - sunX, y - 0.12);
    const rays = smooth(0.5, 0.8, noise(angle * 9 + seed, seed)) * smooth(0.02, 0.3, y) * Math.exp(-toSun * 1.3);
    add(out, air, 0.4 * rays + 0.25 * Math.exp(-toSun * 3.4));
  });
}

function trunks(frame: Frame, near: number, ground: number, air: Rgb, sunX: number, random: () => number): void {
  const count = Math.round(lerp(26, 5, near));
  const half = frame.width / frame.height / 2;
  const trees = Array.from({ length: count }, (_, i) => ({
    x: -half + ((i + random()) * 2 * half) / count,
    wide: lerp(0.005, 0.042, near ** 1.5) * between(0.6, 1.3, random),
    lean: between(-0.04, 0.04, random),
    foot: ground - 0.05 + 0.2 * near ** 2 + 0.02 * random(),
  })).filter(({ x }) => near < 0.6 || Math.abs(x) > 0.16);
  shade(frame, (x, y, out) => {
    for (const { x: at, wide, lean, foot } of trees) {
      if (y > foot) continue;
      const across = (x - at - lean * (y - foot)) / (wide * (1 + 0.5 * smooth(foot - 0.12, foot, y)));
      const edge = 1 + 0.3 * (noise(y * 30 + at * 90, at * 50) - 0.5);
      if (Math.abs(across) > edge) continue;
      const bark = 0.6 + 0.8 * fractal(across * 3 + at * 60, y * 14 + across, 3);
      const lit = clamp(0.5 + across * Math.sign(sunX - at) * 0.7);
      const color = mix(
        scale([0.05, 0.036, 0.024], bark * (0.35 + 1.7 * lit)),
        scale(air, 0.75 * Math.exp(-Math.abs(x - sunX) * 1.5)),
        (1 - near) ** 1.4 * 0.82,
      );
      blend(out, color, smooth(edge, edge - 0.25, Math.abs(across)));
    }
  });
}

/** Leaves that hang into the picture, lit from behind. */
function crown(x: number, y: number, seed: number, leaf: Rgb, sunX: number, out: number[]): void {
  const hang = 0.3 + 0.28 * fractal(x * 2.4 + seed, seed, 3) + 0.5 * Math.max(0, Math.abs(x) - 0.25);
  if (y > hang) return;
  const clump = fractal(x * 11 + seed * 2, y * 11, 3);
  const leaves = fractal(x * 60, y * 60 + seed, 3);
  const cover = smooth(0.44, 0.56, clump * 0.6 + leaves * 0.4 + 0.2 * (hang - y)) * smooth(0, 0.07, hang - y);
  const through = Math.exp(-Math.hypot(x - sunX, y - 0.34) * 2.4);
  blend(out, scale(leaf, 0.12 + (0.5 + 2.6 * through) * smooth(0.4, 0.75, leaves)), cover * 0.95);
}

interface Floor {
  readonly seed: number;
  readonly leaf: Rgb;
  readonly air: Rgb;
  readonly sunX: number;
  readonly path: number;
  readonly bend: number;
  readonly autumn: boolean;
}

/** The path between grass or fallen leaves, with spots of sun. */
function floor(
  x: number,
  y: number,
  ground: number,
  { seed, leaf, air, path, bend, autumn, sunX }: Floor,
  out: number[],
): void {
  const deep = y - ground + 0.03;
  const far = 1 / (deep + 0.05);
  const [u, v] = [(x - path * 0.3) * far, far];
  const grass = fractal(u * 16 + seed, v * 22 + deep * 40, 4);
  const middle = path * 0.5 + bend * deep * deep * 2;
  const onPath = smooth(0.05 + deep * 0.62, 0.03 + deep * 0.42, Math.abs(x - middle) + 0.03 * (grass - 0.5));
  const soil = scale([0.2, 0.14, 0.085], 0.5 + 0.8 * grass);
  const green = autumn ? mix(scale(leaf, 0.9), [0.45, 0.13, 0.03], grass) : leaf;
  const color = mix(scale(green, 0.25 + 0.75 * grass), soil, onPath);
  const spots = smooth(0.5, 0.66, fractal(u * 2.2 + seed, v * 2.6, 3)) * (0.3 + Math.exp(-Math.abs(x - sunX) * 1.6));
  const lit = scale(color, 0.5 + 2.1 * spots);
  blend(out, mix(lit, scale(air, 0.7), Math.exp(-deep * 13) * 0.8), smooth(0, 0.025, deep + 0.012 * (grass - 0.5)));
}

const BLOSSOMS: readonly (readonly [dark: Rgb, bright: Rgb])[] = [
  [
    [0.2, 0.09, 0.4],
    [0.72, 0.55, 0.95],
  ],
  [
    [0.45, 0.08, 0.2],
    [1, 0.6, 0.72],
  ],
  [
    [0.5, 0.4, 0.36],
    [1.05, 0.98, 0.92],
  ],
  [
    [0.5, 0.12, 0.03],
    [1.1, 0.55, 0.2],
  ],
];

function paintBlossoms(frame: Frame, random: () => number): void {
  const [dark, bright] = pick(BLOSSOMS, random);
  const half = frame.width / frame.height / 2;
  const seed = random() * 100;
  const sunX = between(-half, half, random);
  shade(frame, (x, y, out) => {
    const soft = fractal(x * 1.7 + seed, y * 1.7, 3);
    const color = mix([0.03, 0.075, 0.022], [0.33, 0.45, 0.13], smooth(0.25, 0.75, soft) * (1 - 0.5 * y));
    for (let i = 0; i < 3; i += 1) out[i] = color[i]! * (0.6 + 0.9 * Math.exp(-Math.hypot(x - sunX, y)));
  });
  for (let i = 0; i < 75; i += 1) {
    const color =
      random() < 0.3
        ? scale(bright, 0.5)
        : pick<Rgb>(
            [
              [0.7, 0.8, 0.35],
              [0.35, 0.5, 0.15],
              [0.95, 0.9, 0.6],
            ],
            random,
          );
    disc(frame, {
      x: between(-half, half, random),
      y: random() ** 1.4,
      radius: between(0.012, 0.07, random),
      color,
      alpha: between(0.08, 0.3, random),
      fade: 0.12,
      rim: 0.5,
    });
  }
  for (let i = 0; i < 4; i += 1)
    cluster(
      frame,
      {
        x: between(-half, half, random),
        y: between(-0.2, 0.2, random),
        long: between(0.35, 0.6, random),
        dark,
        bright,
        focus: 0.35,
      },
      random,
    );
  blur(frame, 0.013);
  const count = Math.ceil(random() * 2) + 1;
  for (let i = 0; i < count; i += 1) {
    const x = (i + 0.5 + between(-0.2, 0.2, random)) * ((2 * half * 0.8) / count) - half * 0.8;
    cluster(
      frame,
      { x, y: between(-0.15, 0.1, random), long: between(0.62, 0.9, random), dark, bright, focus: 1 },
      random,
    );
  }
}

interface Cluster {
  readonly x: number;
  readonly y: number;
  readonly long: number;
  readonly dark: Rgb;
  readonly bright: Rgb;
  readonly focus: number;
}

/** A hanging cluster of blossoms like a wisteria's: open and pale above, buds below. The petals behind come first. */
function cluster(frame: Frame, { x, y, long, dark, bright, focus }: Cluster, random: () => number): void {
  const petals = Array.from({ length: Math.round(1_000 * focus) }, () => {
    const down = random() ** 0.85;
    const angle = random() * Math.PI * 2;
    const out =
      0.13 *
      long *
      Math.sin(Math.PI * Math.min(1, 0.3 + 0.7 * down)) ** 0.8 *
      (1.15 - 0.5 * down) *
      Math.sqrt(random());
    return { down, side: Math.sin(angle) * out, depth: Math.cos(angle) * out };
  }).sort((a, b) => a.depth - b.depth);
  for (const { down, side, depth } of petals) {
    const light = clamp(0.45 + depth * 5 - side * 2 + between(-0.25, 0.25, random));
    const color = mix(dark, bright, light * (1 - 0.4 * down ** 2));
    const size = between(0.009, 0.02, random) * (1.15 - 0.75 * down) * (0.6 + long * 0.6);
    const [px, py] = [x + side * 1.25 + 0.02 * Math.sin(down * 3), y + down * long];
    // A blossom is a few petals beside each other, each a little paler at its edge.
    disc(frame, {
      x: px,
      y: py,
      radius: size,
      color: scale(color, 0.6),
      alpha: 0.75,
      fade: 0.55,
      wide: between(0.7, 1.3, random),
    });
    for (let k = 0; k < 3; k += 1) {
      const [dx, dy] = [between(-0.7, 0.7, random) * size, between(-0.6, 0.4, random) * size];
      const petal = scale(mix(color, bright, 0.25 * k * light), between(0.8, 1.1, random));
      disc(frame, {
        x: px + dx,
        y: py + dy,
        radius: size * between(0.4, 0.65, random),
        color: petal,
        alpha: 0.8,
        fade: 0.5,
        wide: between(0.55, 1.5, random),
      });
    }
  }
}
