import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { THEME_COLORS } from '../../src/app/web/start/theme-colors.ts';
import { SHARE } from '../../src/base/share-contract.ts';
import { ALLOWED_TYPES } from '../../src/memories/rules.ts';
import { paths } from '../../src/paths.ts';
import { root } from './root.ts';

const web = join(root, 'src/app/web');

/** The heart fills the part `drawing` of the icon. Maskable icons may be cropped to a circle of 80% (W3C). */
const ICONS = [
  { name: 'icon-192', size: 192, drawing: 0.74, purpose: 'any' },
  { name: 'icon-512', size: 512, drawing: 0.74, purpose: 'any' },
  { name: 'maskable-192', size: 192, drawing: 0.56, purpose: 'maskable' },
  { name: 'maskable-512', size: 512, drawing: 0.56, purpose: 'maskable' },
  { name: 'apple-touch-icon', size: 180, drawing: 0.66, purpose: null },
] as const;

/** Writes the manifest, its icons, and its screenshots into the built page. */
export async function writeManifest(folder: string): Promise<void> {
  mkdirSync(join(folder, 'icons'), { recursive: true });
  for (const { name, size, drawing, purpose } of ICONS) {
    await drawIcon(drawing, purpose === 'any')
      .resize(size, size)
      .png({ palette: true })
      .toFile(join(folder, 'icons', `${name}.png`));
  }
  const screenshots = await Promise.all(
    globSync('screenshots/*.webp', { cwd: web })
      .sort()
      .map((file) => screenshot(folder, file)),
  );
  writeFileSync(join(folder, 'manifest.webmanifest'), JSON.stringify({ ...MANIFEST, screenshots }));
}

/** Draws the heart on its background. `round` gives the square round corners, for icons that systems do not mask. */
function drawIcon(drawing: number, round: boolean): Sharp {
  const heart = /<path[\s\S]*\/>/.exec(readFileSync(join(web, 'public/icon.svg'), 'utf8'))?.[0] ?? '';
  const scale = (512 * drawing) / 16;
  const place = `translate(256 256) scale(${scale}) translate(-12 -12.5)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect width="512" height="512" rx="${round ? 112 : 0}" fill="${THEME_COLORS.light}"/><g transform="${place}">${heart}</g></svg>`;
  return sharp(Buffer.from(svg));
}

/** Copies a screenshot and returns its manifest entry. Names are `LABEL.narrow.webp` (phone) or `LABEL.wide.webp`. */
async function screenshot(folder: string, file: string) {
  const [label = '', form_factor = ''] = basename(file).split('.');
  const { width, height } = await sharp(join(web, file)).metadata();
  mkdirSync(join(folder, 'screenshots'), { recursive: true });
  copyFileSync(join(web, file), join(folder, file));
  return {
    src: `/${file}`,
    type: 'image/webp',
    sizes: `${width}x${height}`,
    form_factor,
    label: label.replaceAll('-', ' '),
  };
}

const MANIFEST = {
  id: '/',
  name: 'Our Love Story',
  short_name: 'Our Story',
  description: 'Our date ideas, our dates, our photographs.',
  lang: 'en',
  start_url: paths.home,
  scope: '/',
  display: 'standalone',
  background_color: THEME_COLORS.light,
  theme_color: THEME_COLORS.light,
  categories: ['lifestyle', 'photo'],
  icons: ICONS.flatMap(({ name, size, purpose }) =>
    purpose === null ? [] : [{ src: `/icons/${name}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }],
  ),
  shortcuts: [
    { name: 'Add Date Idea', url: paths.addIdea },
    { name: 'Our Dates', url: paths.dates },
    { name: 'Our Memories', short_name: 'Memories', url: paths.memories },
    { name: 'Upload Memory', short_name: 'Upload', url: paths.upload },
  ].map((shortcut) => ({ ...shortcut, icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }] })),
  share_target: {
    action: SHARE.path,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: SHARE.title,
      text: SHARE.text,
      url: SHARE.url,
      files: [{ name: SHARE.field, accept: [...ALLOWED_TYPES] }],
    },
  },
};
