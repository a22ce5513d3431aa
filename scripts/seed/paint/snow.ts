import { couple } from './figures.ts';
import { add, blend, blur, disc, drawShapes, type Frame, lerp, mix, type Rgb, scale, shade, smooth } from './frame.ts';
import { between, fractal, noise, pick } from './noise.ts';
import { BLUE_HOUR, type Light, OVERCAST, ROSE } from './sky.ts';

/** A wood in the snow, by day or under a lamp in the evening. */
export async function paintSnow(frame: Frame, random: () => number): Promise<void> {
  const light = pick([OVERCAST, BLUE_HOUR, OVERCAST, ROSE, BLUE_HOUR], random);
  const isDark = light === BLUE_HOUR;
  const seed = random() * 100;
  const ground = between(0.66, 0.76, random);
  const lamp = isDark ? { x: between(-0.3, 0.3, random), y: ground - 0.36 } : null;
  const air = mix(light.horizon, light.zenith, 0.35);
  shade(frame, (x, y, out) => {
    const color = mix(light.zenith, light.horizon, smooth(0, ground, y));
    for (let i = 0; i < 3; i += 1) out[i] = color[i]! * (0.85 + 0.3 * fractal(x * 2 + seed, y * 3, 4));
  });
  for (let layer = 0; layer < 6; layer += 1) firs(frame, layer / 5, ground, air, light, seed + layer * 19);
  const path = between(-0.2, 0.2, random);
  shade(frame, (x, y, out) => {
    drifts(x, y, { ground, seed, light, path }, out);
    if (!lamp) return;
    const away = Math.hypot(x - lamp.x, (y - lamp.y) * 0.85);
    add(
      out,
      [1.2, 0.66, 0.26],
      0.5 * Math.exp(-away * 5.5) * (y > ground ? 1.3 : 0.6 + 0.5 * fractal(x * 6, y * 6 + seed, 3)),
    );
    const pool = Math.hypot(x - lamp.x, (y - ground - 0.05) * 3.2);
    if (y > ground - 0.02)
      add(out, [0.75, 0.42, 0.18], 0.55 * Math.exp(-pool * 5) * (0.6 + 0.5 * fractal(x * 40, y * 90, 2)));
  });
  if (lamp) await drawLamp(frame, lamp.x, lamp.y, ground + 0.05);
  if (random() < 0.5)
    await drawShapes(
      frame,
      couple(path * 0.6 + (lamp ? lamp.x * 0.5 : 0), ground + 0.07, 0.1),
      scale(light.cool, isDark ? 0.12 : 0.14),
    );
  if (random() < 0.8) falling(frame, lamp, light, random);
}

/** A row of firs with snow on their branches, paler with the distance. */
function firs(frame: Frame, near: number, ground: number, air: Rgb, light: Light, seed: number): void {
  const step = lerp(0.03, 0.21, near ** 1.3);
  const base = ground - 0.03 + 0.06 * near;
  const snow = mix(light.bright, light.cool, 0.35);
  shade(frame, (x, y, out) => {
    if (y > base + 0.02) return;
    const cell = Math.floor(x / step);
    for (let k = cell - 1; k <= cell + 1; k += 1) {
      const chance = noise(k * 5.7 + seed, seed);
      if (near > 0.7 && (Math.abs(k * step) < 0.2 || chance < 0.4)) continue;
      const tall = step * (1.7 + 1.9 * noise(k * 3.1, seed * 2)) + 0.04;
      const middle = (k + 0.25 + 0.5 * chance) * step;
      const up = (base - y) / tall;
      if (up > 1 || up < -0.02 || Math.abs(x - middle) > tall * 0.36) continue;
      // Branches hang in tiers, each wider at its lower edge.
      const tiers = 7 + Math.floor(chance * 5);
      const slant = Math.abs(x - middle) / tall;
      const tier = (1 - up) * tiers - slant * 5 + 1.9 * (fractal(x * 34 + seed, y * 22 + k, 3) - 0.5);
      const within = tier - Math.floor(tier);
      const half = tall * 0.27 * (1 - up) ** 0.85 * (0.6 + 0.45 * within) + 0.002;
      const across = (x - middle) / half;
      const needles = 1 + 0.5 * (fractal(x * 110 + seed, y * 90, 2) - 0.5);
      if (Math.abs(across) > needles) continue;
      const load = smooth(0.5, 0.15, within + 1.1 * (fractal(x * 85, y * 65 + seed, 3) - 0.5)) * 0.85;
      const bark = scale(mix([0.03, 0.05, 0.045], light.cool, 0.12), 0.5 + fractal(x * 90, y * 60, 2));
      const color = mix(bark, scale(snow, 0.62 + 0.3 * (1 - Math.abs(across))), load);
      blend(out, mix(color, air, (1 - near) ** 1.2 * 0.9), smooth(needles, needles - 0.2, Math.abs(across)));
    }
  });
}

interface Ground {
  readonly ground: number;
  readonly seed: number;
  readonly light: Light;
  readonly path: number;
}

/** The snow on the ground, with the steps of two people. */
function drifts(x: number, y: number, { ground, seed, light, path }: Ground, out: number[]): void {
  const edge = ground + 0.025 * (fractal(x * 2 + seed, seed, 3) - 0.5);
  if (y < edge) return;
  const deep = y - edge;
  const far = 1 / (deep + 0.07);
  const [u, v] = [x * far, far * 1.4];
  const height = (a: number, b: number) => fractal(a * 0.7 + seed, b * 0.9, 4);
  const slope = height(u, v) - height(u + 0.12, v + 0.05);
  const grain = fractal(x * 210, y * 260, 2) - 0.5;
  let bright = 0.62 + 2.4 * slope + 0.1 * grain + 0.12 * deep;
  for (const side of [-1, 1]) {
    const trail = path * (0.6 + deep * 1.5) + side * 0.055 * (0.3 + deep * 4) + 0.02 * Math.sin(far * 0.8);
    const stride = Math.abs(((((Math.log(far) * 9 + side * 0.25) % 1) + 1) % 1) - 0.5);
    const foot = Math.hypot((x - trail) / (0.016 * (0.3 + deep * 4)), stride / 0.2);
    bright *= 1 - 0.45 * smooth(1.1, 0.7, foot);
  }
  const color = mix(light.cool, mix(light.bright, [1, 1, 1], 0.15), bright);
  for (let i = 0; i < 3; i += 1) out[i] = color[i]! * 1.05;
}

async function drawLamp(frame: Frame, x: number, y: number, foot: number): Promise<void> {
  const post = `<path d="M${x - 0.004} ${y + 0.012}h.008L${x + 0.006} ${foot}h-.012z"/><path d="M${x - 0.02} ${y - 0.03}h.04l-.01 .042h-.02z" fill-opacity=".55"/><path d="M${x - 0.026} ${y - 0.028}l.026 -.02l.026 .02z"/>`;
  await drawShapes(frame, post, [0.012, 0.012, 0.016]);
  disc(frame, { x, y: y - 0.008, radius: 0.013, color: [6, 3.8, 1.8], alpha: 1, fade: 0.7, adds: true });
}

/** Falling snow: small far away, large and out of focus near the lens, bright near the lamp. */
function falling(frame: Frame, lamp: { x: number; y: number } | null, light: Light, random: () => number): void {
  const half = frame.width / frame.height / 2;
  blur(frame, 0.0008);
  for (let i = 0; i < 520; i += 1) {
    const near = random() ** 7;
    const [x, y] = [between(-half, half, random), random()];
    const lit = lamp ? 0.25 + 2 * Math.exp(-Math.hypot(x - lamp.x, y - lamp.y) * 6) : 0.9;
    const color = scale(mix(light.bright, lamp ? [1.2, 0.8, 0.45] : [1, 1, 1], 0.5), lit);
    disc(frame, {
      x,
      y,
      radius: lerp(0.0014, 0.026, near),
      color,
      alpha: lerp(0.65, 0.16, Math.sqrt(near)),
      fade: lerp(0.9, 0.35, near),
      adds: lamp !== null,
      wide: 0.9,
    });
  }
}
