import sharp, { type Sharp } from 'sharp';
import { blur, clamp, type Frame, newFrame, type Rgb, shade } from './frame.ts';
import { seededRandom } from './noise.ts';

/** How a picture is developed. */
export interface Film {
  readonly exposure?: number;
  /** Added to shadows, and multiplied with lights: the color of the film. */
  readonly shadows?: Rgb;
  readonly lights?: Rgb;
  readonly grain?: number;
  readonly vignette?: number;
  /** How much light spreads around what is bright. */
  readonly bloom?: number;
}

const GRAIN_SIZE = 512;
let grainTable: Float32Array | undefined;

/** Grain of about one and a half pixels, with a standard deviation of 1. */
function grain(): Float32Array {
  if (grainTable) return grainTable;
  const random = seededRandom(35);
  const raw = Float32Array.from({ length: GRAIN_SIZE ** 2 }, () => random() + random() + random() + random() - 2);
  const at = (index: number) => raw[index & (GRAIN_SIZE ** 2 - 1)]!;
  grainTable = raw.map((value, i) => (value + 0.5 * (at(i + 1) + at(i + GRAIN_SIZE))) * 1.4);
  return grainTable;
}

/** Develops a picture: light that spreads, a curve like that of film, its color, darker corners and grain. Eight bits. */
export function develop(frame: Frame, film: Film, random: () => number): Sharp {
  const { exposure = 1, shadows = [0.004, 0.006, 0.01], lights = [1.03, 1, 0.95], vignette = 0.35 } = film;
  spreadLight(frame, film.bloom ?? 0.25);
  const { width, height, pixels } = frame;
  const bytes = Buffer.alloc(width * height * 3);
  const [table, offset] = [grain(), Math.floor(random() * GRAIN_SIZE ** 2)];
  const corner = Math.hypot(width, height) / height / 2;
  let at = 0;
  shade(frame, (x, y) => {
    const dark = 1 - vignette * (Math.hypot(x, y - 0.5) / corner) ** 3;
    const row = Math.floor(at / 3 / width);
    const speck = table[(offset + row * GRAIN_SIZE + ((at / 3) % width)) & (GRAIN_SIZE ** 2 - 1)]!;
    for (let i = 0; i < 3; i += 1) {
      const value = curve(pixels[at]! * exposure * dark * lights[i]! + shadows[i]!);
      // Grain shows most in the middle tones.
      bytes[at] = Math.round(255 * clamp(value + (film.grain ?? 0.014) * speck * (0.35 + 2.2 * value * (1 - value))));
      at += 1;
    }
  });
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

/** From linear light to a value of sRGB, with soft shoulders (after Narkowicz's fit of the ACES film curve). */
function curve(light: number): number {
  const x = Math.max(0, light) * 0.75;
  return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)) ** (1 / 2.2);
}

/** Adds the light that a lens scatters around what is brighter than white. Computed on a picture an eighth as wide. */
function spreadLight(frame: Frame, amount: number): void {
  const step = 8;
  const small = newFrame(Math.ceil(frame.width / step), Math.ceil(frame.height / step));
  for (let row = 0; row < frame.height; row += 1) {
    for (let column = 0; column < frame.width * 3; column += 1) {
      const excess = Math.min(6, Math.max(0, frame.pixels[row * frame.width * 3 + column]! - 0.75));
      const at = (Math.floor(row / step) * small.width + Math.floor(column / 3 / step)) * 3 + (column % 3);
      small.pixels[at] = small.pixels[at]! + excess / step ** 2;
    }
  }
  blur(small, 0.045);
  let at = 0;
  const sample = (column: number, row: number, channel: number) => {
    const [x, y] = [clamp(column, 0, small.width - 1), clamp(row, 0, small.height - 1)];
    return small.pixels[(y * small.width + x) * 3 + channel]!;
  };
  shade(frame, (_x, _y, out) => {
    const [column, row] = [((at % frame.width) + 0.5) / step - 0.5, (Math.floor(at / frame.width) + 0.5) / step - 0.5];
    const [left, top] = [Math.floor(column), Math.floor(row)];
    const [u, v] = [column - left, row - top];
    for (let i = 0; i < 3; i += 1) {
      const above = sample(left, top, i) * (1 - u) + sample(left + 1, top, i) * u;
      const below = sample(left, top + 1, i) * (1 - u) + sample(left + 1, top + 1, i) * u;
      out[i] = out[i]! + amount * (above * (1 - v) + below * v);
    }
    at += 1;
  });
}
