import sharp from 'sharp';

/** Linear light: red, green, blue; 1 is white paper in the sun, and lights are brighter. */
export type Rgb = readonly [number, number, number];

/** A picture in linear light, three numbers for each pixel. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

export function newFrame(width: number, height: number): Frame {
  return { width, height, pixels: new Float32Array(width * height * 3) };
}

/**
 * Computes every pixel. All lengths are in heights of the picture: `x` from its middle to the right, `y` from its top
 * down to 1. `out` has the present color and takes the new one.
 */
export function shade({ width, height, pixels }: Frame, pixel: (x: number, y: number, out: number[]) => void): void {
  const out = [0, 0, 0];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 3;
      for (let i = 0; i < 3; i += 1) out[i] = pixels[at + i]!;
      pixel((column + 0.5 - width / 2) / height, (row + 0.5) / height, out);
      for (let i = 0; i < 3; i += 1) pixels[at + i] = out[i]!;
    }
  }
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 up to `from`, 1 from `to`, and smooth between them. */
export function smooth(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}

export function lerp(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

export function mix([r, g, b]: Rgb, [r2, g2, b2]: Rgb, part: number): Rgb {
  return [lerp(r, r2, part), lerp(g, g2, part), lerp(b, b2, part)];
}

export function scale([r, g, b]: Rgb, by: number): Rgb {
  return [r * by, g * by, b * by];
}

/** Mixes a color into a pixel. */
export function blend(out: number[], color: Rgb, part: number): void {
  for (let i = 0; i < 3; i += 1) out[i] = lerp(out[i]!, color[i]!, part);
}

/** Adds light to a pixel. */
export function add(out: number[], color: Rgb, amount: number): void {
  for (let i = 0; i < 3; i += 1) out[i] = out[i]! + color[i]! * amount;
}

export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: Rgb;
  /** How much of it is seen. */
  readonly alpha: number;
  /** The share of the radius in which the edge fades. */
  readonly fade?: number;
  /** How much brighter the rim is than the middle, as lenses draw lights out of focus. */
  readonly rim?: number;
  /** Whether it adds its light, instead of covering what is behind. */
  readonly adds?: boolean;
  /** The horizontal radius in radii. */
  readonly wide?: number;
}

/** Draws a disc. Its place and size are in heights of the picture, as in `shade`. */
export function disc({ width, height, pixels }: Frame, { x, y, radius, color, alpha, ...more }: Disc): void {
  const { fade = 0.1, rim = 0, adds = false, wide = 1 } = more;
  const [left, top, size] = [x * height + width / 2, y * height, radius * height];
  const lastRow = Math.min(height - 1, Math.ceil(top + size));
  const lastColumn = Math.min(width - 1, Math.ceil(left + size * wide));
  for (let row = Math.max(0, Math.floor(top - size)); row <= lastRow; row += 1) {
    for (let column = Math.max(0, Math.floor(left - size * wide)); column <= lastColumn; column += 1) {
      const distance = Math.hypot((column + 0.5 - left) / wide, row + 0.5 - top) / size;
      if (distance >= 1) continue;
      const part = alpha * smooth(1, 1 - Math.max(fade, 1.2 / size), distance) * (1 + rim * (distance ** 6 - 0.3));
      const at = (row * width + column) * 3;
      for (let i = 0; i < 3; i += 1) {
        const present = pixels[at + i]!;
        pixels[at + i] = adds ? present + color[i]! * part : lerp(present, color[i]!, Math.min(1, part));
      }
    }
  }
}

/** Blurs a part of a picture: three box blurs, which are nearly a Gaussian. @param radius in heights of the picture */
export function blur(frame: Frame, radius: number, part: (x: number, y: number) => number = () => 1): void {
  const { width, height, pixels } = frame;
  const half = Math.max(1, Math.round(radius * height * 0.58));
  const [blurred, other] = [Float32Array.from(pixels), new Float32Array(pixels.length)];
  for (let pass = 0; pass < 3; pass += 1) {
    boxBlur(blurred, other, { lines: height, line: width * 3, length: width, step: 3 }, half);
    boxBlur(other, blurred, { lines: width, line: 3, length: height, step: width * 3 }, half);
  }
  let at = 0;
  shade(frame, (x, y, out) => {
    const share = part(x, y);
    for (let i = 0; i < 3; i += 1) out[i] = lerp(out[i]!, blurred[at + i]!, share);
    at += 3;
  });
}

interface Lines {
  readonly lines: number;
  /** From one line to the next, and from one pixel of a line to the next. */
  readonly line: number;
  readonly length: number;
  readonly step: number;
}

function boxBlur(from: Float32Array, to: Float32Array, { lines, line, length, step }: Lines, half: number): void {
  const weight = 1 / (2 * half + 1);
  for (let i = 0; i < lines; i += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const start = i * line + channel;
      const at = (index: number) => from[start + clamp(index, 0, length - 1) * step]!;
      let sum = 0;
      for (let k = -half; k <= half; k += 1) sum += at(k);
      for (let k = 0; k < length; k += 1) {
        to[start + k * step] = sum * weight;
        sum += at(k + half + 1) - at(k - half);
      }
    }
  }
}

/** Draws shapes of SVG in one color, in heights of the picture with the origin at the middle of its top edge. */
export async function drawShapes(frame: Frame, shapes: string, color: Rgb, softness = 0.6): Promise<void> {
  const { width, height, pixels } = frame;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-width / height / 2} 0 ${width / height} 1"><g fill="#000">${shapes}</g></svg>`;
  const image = sharp(Buffer.from(svg)).extractChannel('alpha').blur(softness);
  const alpha = await image.raw().toBuffer();
  for (let i = 0; i < width * height; i += 1) {
    const part = alpha[i]! / 255;
    if (part === 0) continue;
    for (let k = 0; k < 3; k += 1) pixels[i * 3 + k] = lerp(pixels[i * 3 + k]!, color[k]!, part);
  }
}
