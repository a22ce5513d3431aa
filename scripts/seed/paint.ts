import sharp from 'sharp';
import type { Scene } from './demo-data.ts';

/** A pseudorandom generator of numbers in [0, 1): the same seed yields the same photograph. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Palette {
  readonly sky: readonly (readonly [string, string, string])[];
  readonly ground: readonly string[];
}

const PALETTES: Readonly<Record<Scene, Palette>> = {
  sea: {
    sky: [
      ['#27324f', '#c98a6b', '#f3cf9d'],
      ['#9fc4d6', '#d8e6e6', '#f6ead4'],
      ['#3d3a5c', '#b0687a', '#f0a877'],
    ],
    ground: ['#2f5568', '#3d6f7d', '#58919a'],
  },
  hills: {
    sky: [
      ['#a9c8d8', '#dfe8df', '#f5ecd0'],
      ['#7c93b8', '#e0b89a', '#f7e3b8'],
    ],
    ground: ['#8fa382', '#6c8a62', '#4c6b47', '#34502f'],
  },
  night: {
    sky: [
      ['#0c1026', '#1d2547', '#3c3f68'],
      ['#080b1a', '#172038', '#4a3f5c'],
    ],
    ground: ['#141a2c', '#0e1220', '#090c16'],
  },
  lamps: {
    sky: [
      ['#150f14', '#2c1a1c', '#4a2b20'],
      ['#101420', '#2a2030', '#55342c'],
    ],
    ground: ['#1c1416', '#120d0f'],
  },
  forest: {
    sky: [
      ['#cfdcc0', '#e9efd6', '#f8f4df'],
      ['#b7cbb0', '#dfe6c6', '#f3e9c9'],
    ],
    ground: ['#9fb083', '#738d55', '#4f6c3a', '#324a28'],
  },
  town: {
    sky: [
      ['#8fb2cf', '#d9e2e2', '#f6e7cd'],
      ['#c4a58f', '#ecd2b4', '#f8eacb'],
    ],
    ground: ['#c99a72', '#b47e5b', '#8e5f46', '#6b4536'],
  },
  table: {
    sky: [
      ['#5a3a2e', '#94603f', '#d8a468'],
      ['#463238', '#8c5a4a', '#e0b27e'],
    ],
    ground: ['#7a4d35', '#5c3827', '#3d261c'],
  },
  snow: {
    sky: [
      ['#a8b6c8', '#d5dce4', '#f2f1ee'],
      ['#5d6c88', '#a7aec0', '#e9dfdc'],
    ],
    ground: ['#dfe5ec', '#cbd5e0', '#f4f6f8'],
  },
};

const SIZES = [
  [1600, 1200],
  [1200, 1600],
  [1800, 1200],
  [1400, 1400],
  [1920, 1080],
  [1200, 1500],
] as const;

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** The SVG path of a hill: a curve from edge to edge, filled to the bottom. */
function ridge(width: number, height: number, top: number, swing: number, random: () => number): string {
  const steps = 5;
  let path = `M0 ${top + (random() - 0.5) * swing}`;
  for (let i = 1; i <= steps; i += 1) {
    const x = (width * i) / steps;
    const before = x - width / steps / 2;
    path += ` Q ${before} ${top + (random() - 0.5) * swing * 2} ${x} ${top + (random() - 0.5) * swing}`;
  }
  return `${path} L ${width} ${height} L 0 ${height} Z`;
}

function dots(
  count: number,
  width: number,
  height: number,
  random: () => number,
  colors: readonly string[],
  [from, to]: readonly [number, number],
): string {
  return Array.from({ length: count }, () => {
    const radius = from + random() * (to - from);
    return `<circle cx="${random() * width}" cy="${random() * height}" r="${radius}" fill="${pick(colors, random)}" opacity="${0.35 + random() * 0.6}"/>`;
  }).join('');
}

const WARM = ['#ffd08a', '#ffb45e', '#ffe6b8', '#ff9a6b'];

/** The SVG in front of the hills of each scene. */
function foreground(scene: Scene, width: number, height: number, random: () => number): string {
  const unit = Math.min(width, height);
  switch (scene) {
    case 'night':
      return `<g filter="url(#glow)">${dots(140, width, height * 0.7, random, ['#fff', '#ffe9c4', '#cfdcff'], [0.6, unit / 420])}</g>`;
    case 'lamps':
      return `<g filter="url(#soft)">${dots(22, width, height * 0.85, random, WARM, [unit / 40, unit / 11])}</g>`;
    case 'snow':
      return `<g filter="url(#glow)">${dots(160, width, height, random, ['#fff'], [1, unit / 160])}</g>`;
    case 'forest':
      return `<g filter="url(#glow)">${dots(90, width, height, random, ['#c9a3d8', '#e8c4d8', '#f4d8a8', '#d96a6a', '#fff3e0'], [unit / 120, unit / 32])}</g>`;
    case 'table':
      return `<g filter="url(#soft)">${dots(9, width, height * 0.5, random, WARM, [unit / 30, unit / 12])}</g><ellipse cx="${width * 0.5}" cy="${height * 0.8}" rx="${unit * 0.3}" ry="${unit * 0.1}" fill="#f3e9da"/><ellipse cx="${width * 0.5}" cy="${height * 0.795}" rx="${unit * 0.2}" ry="${unit * 0.062}" fill="#e5c79b"/>`;
    case 'town':
      return houses(width, height, random);
    default:
      return '';
  }
}

function houses(width: number, height: number, random: () => number): string {
  let x = -20;
  let drawn = '';
  while (x < width) {
    const wide = width * (0.1 + random() * 0.12);
    const top = height * (0.3 + random() * 0.32);
    drawn += `<rect x="${x}" y="${top}" width="${wide}" height="${height - top}" fill="${pick(PALETTES.town.ground, random)}"/>`;
    drawn += `<path d="M${x - 8} ${top} L${x + wide / 2} ${top - height * 0.06} L${x + wide + 8} ${top} Z" fill="#7c4a3a"/>`;
    for (let row = 0; row < 5; row += 1) {
      for (let column = 0; column < 2; column += 1) {
        const lit = random() > 0.75;
        drawn += `<rect x="${x + wide * (0.2 + column * 0.4)}" y="${top + height * (0.05 + row * 0.12)}" width="${wide * 0.18}" height="${height * 0.06}" fill="${lit ? '#ffdf9e' : '#4e342c'}" opacity="0.85"/>`;
      }
    }
    x += wide + 4;
  }
  return drawn;
}

let grain: Promise<Buffer> | undefined;

/** Generates a photograph of a scene: a JPEG with its capture time and UTC offset in EXIF. */
export async function paintPhoto(scene: Scene, seed: number, takenAt: string, offset: string): Promise<Buffer> {
  // The app blocks SVG for the whole process. This SVG is generated here.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  const random = seededRandom(seed);
  const [width, height] = pick(SIZES, random);
  const palette = PALETTES[scene];
  const [high, middle, low] = pick(palette.sky, random);
  const horizon = height * (0.45 + random() * 0.2);
  const sunX = width * (0.2 + random() * 0.6);
  const land = palette.ground
    .map((color, i) => {
      const top = horizon + ((height - horizon) * i) / palette.ground.length;
      const swing = scene === 'sea' ? 4 : height * 0.05;
      return scene === 'town' || scene === 'table'
        ? `<rect y="${top}" width="${width}" height="${height}" fill="${color}"/>`
        : `<path d="${ridge(width, height, top, swing, random)}" fill="${color}"/>`;
    })
    .join('');
  const sun =
    scene === 'lamps' || scene === 'table'
      ? ''
      : `<circle cx="${sunX}" cy="${horizon * (0.35 + random() * 0.5)}" r="${Math.min(width, height) * 0.05}" fill="#fff4d6" filter="url(#glow)" opacity="0.9"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${high}"/><stop offset="0.55" stop-color="${middle}"/><stop offset="0.8" stop-color="${low}"/></linearGradient>
    <filter id="glow"><feGaussianBlur stdDeviation="1.6"/></filter><filter id="soft"><feGaussianBlur stdDeviation="9"/></filter>
    <radialGradient id="edge" cx="0.5" cy="0.5" r="0.75"><stop offset="0.6" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.32"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>${sun}${land}${foreground(scene, width, height, random)}<rect width="100%" height="100%" fill="url(#edge)"/></svg>`;
  grain ??= sharp({
    create: {
      width: 256,
      height: 256,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 11 },
    },
  })
    .png()
    .toBuffer();
  return sharp(Buffer.from(svg))
    .composite([{ input: await grain, blend: 'soft-light', tile: true }])
    .removeAlpha()
    .withExif({
      IFD0: { Make: 'Our Love Story', Model: 'Painted' },
      IFD2: { DateTimeOriginal: takenAt, OffsetTimeOriginal: offset },
    })
    .jpeg({ quality: 84 })
    .toBuffer();
}
