import { add, blend, clamp, lerp, mix, type Rgb, smooth } from './frame.ts';
import { fractal } from './noise.ts';

/** The light of a time of day. */
export interface Light {
  readonly zenith: Rgb;
  readonly horizon: Rgb;
  readonly sun: Rgb;
  /** Clouds on the side of the light, and on the other. */
  readonly bright: Rgb;
  readonly dark: Rgb;
  /** Sunlight on the land, and the light of the sky in shadows. */
  readonly warm: Rgb;
  readonly cool: Rgb;
}

export const GOLDEN: Light = {
  zenith: [0.17, 0.29, 0.5],
  horizon: [1, 0.6, 0.28],
  sun: [2.6, 1.5, 0.7],
  bright: [1.35, 0.85, 0.5],
  dark: [0.34, 0.29, 0.36],
  warm: [1.15, 0.74, 0.4],
  cool: [0.2, 0.24, 0.36],
};
export const ROSE: Light = {
  zenith: [0.12, 0.16, 0.36],
  horizon: [0.95, 0.46, 0.36],
  sun: [2.2, 1, 0.6],
  bright: [1.15, 0.52, 0.42],
  dark: [0.25, 0.19, 0.33],
  warm: [0.85, 0.48, 0.36],
  cool: [0.18, 0.19, 0.33],
};
export const NOON: Light = {
  zenith: [0.1, 0.27, 0.62],
  horizon: [0.55, 0.72, 0.88],
  sun: [1.6, 1.55, 1.4],
  bright: [1.1, 1.1, 1.1],
  dark: [0.55, 0.61, 0.7],
  warm: [1.05, 1, 0.86],
  cool: [0.28, 0.35, 0.46],
};
export const MORNING: Light = {
  zenith: [0.27, 0.42, 0.64],
  horizon: [1, 0.8, 0.56],
  sun: [2.2, 1.6, 0.95],
  bright: [1.1, 0.98, 0.85],
  dark: [0.5, 0.52, 0.6],
  warm: [1, 0.86, 0.62],
  cool: [0.28, 0.34, 0.42],
};
export const BLUE_HOUR: Light = {
  zenith: [0.025, 0.05, 0.14],
  horizon: [0.34, 0.27, 0.34],
  sun: [0.5, 0.3, 0.25],
  bright: [0.2, 0.15, 0.22],
  dark: [0.05, 0.06, 0.13],
  warm: [0.2, 0.15, 0.16],
  cool: [0.06, 0.08, 0.17],
};
export const OVERCAST: Light = {
  zenith: [0.55, 0.6, 0.67],
  horizon: [0.82, 0.84, 0.87],
  sun: [0.3, 0.3, 0.3],
  bright: [0.9, 0.91, 0.93],
  dark: [0.6, 0.64, 0.7],
  warm: [0.8, 0.82, 0.85],
  cool: [0.5, 0.55, 0.64],
};

export interface Sky {
  readonly light: Light;
  /** Where the sun is: from the middle, and above the horizon, in heights of the picture. */
  readonly sunX: number;
  readonly sunHeight: number;
  /** From 0, none, to 1, all covered. */
  readonly clouds: number;
  /** Distinguishes skies. */
  readonly seed: number;
}

/** The color of the sky in a direction: from the middle, and above the horizon. */
export function skyAt({ light, sunX, sunHeight, clouds, seed }: Sky, x: number, above: number, out: number[]): void {
  const height = Math.max(0, above);
  const base = mix(light.horizon, light.zenith, 1 - Math.exp(-height * 3.2));
  for (let i = 0; i < 3; i += 1) out[i] = base[i]!;
  const toSun = Math.hypot(x - sunX, height - sunHeight);
  add(out, light.sun, 0.35 * Math.exp(-toSun * 5) + 0.12 * Math.exp(-toSun * 1.6));
  add(out, light.sun, 6 * smooth(0.034, 0.026, toSun));
  if (clouds <= 0) return;
  const far = 1 / (height + 0.11);
  const [u, v] = [(x - sunX * 0.3) * far * 0.55 + seed, far * 1.15 + seed * 0.7];
  const warp = fractal(u * 0.7, v * 0.7, 3) * 1.3;
  const thick = fractal(u + warp, v + warp * 0.4, 6);
  const cover = smooth(0.66 - clouds * 0.34, 0.9 - clouds * 0.3, thick);
  if (cover <= 0) return;
  const toward = fractal(u + warp + (sunX - x) * 0.25, v + warp * 0.4 - 0.16, 4);
  const lit = clamp(0.55 + (thick - toward) * 2.6 - cover * 0.25);
  const color = mix(light.dark, light.bright, lit);
  blend(out, color, cover * smooth(0, 0.06, height) * 0.92);
  add(out, light.sun, 0.5 * cover * (1 - cover) * Math.exp(-toSun * 4));
}

/** The color of haze in a direction, with which what is far away is mixed. */
export function hazeAt({ light, sunX }: Sky, x: number): Rgb {
  const toSun = Math.exp(-Math.abs(x - sunX) * 2.2);
  const [r, g, b] = light.horizon;
  return [lerp(r * 0.82, r * 1.08, toSun), lerp(g * 0.84, g * 1.02, toSun), lerp(b * 0.92, b * 0.96, toSun)];
}
