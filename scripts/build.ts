import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Manifest, type ManifestChunk } from 'vite';
import { buildServer } from './lib/build-server.ts';
import { hashSources, PARTS, type Part, writeStamp } from './lib/build-stamp.ts';
import { buildWorker } from './lib/build-worker.ts';
import { root } from './lib/root.ts';
import { writeManifest } from './lib/web-manifest.ts';

/*
 * `npm run build [page] [server]`: builds the page into `dist/web` with its manifest, service worker, and a `.br` for each
 * text file. Fails if the JavaScript of a first screen exceeds its budget. Builds the server into `dist/app`.
 */

/** The most JavaScript of a first screen, compressed, in bytes. */
const BUDGET = 100 * 1024;
/** What every page loads, by its key in Vite's manifest. */
const SHELL = ['index.html', 'start/start-page.tsx'];
/** The screens that users open first. */
const FIRST_SCREENS = ['../../home/web/dashboard-page.tsx', '../../auth/web/sign-in/sign-in-page.tsx'];

const folder = join(root, 'dist', 'web');
const builders: Readonly<Record<Part, () => Promise<void>>> = { page: buildPage, server: buildServer };
const wanted = process.argv.slice(2);
for (const part of PARTS) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  const sources = hashSources(part);
  await builders[part]();
  writeStamp(part, sources);
}

async function buildPage(): Promise<void> {
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  // Vite's manifest would be public in this folder. Only this script reads it.
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  rmSync(join(folder, '.vite'), { recursive: true });
  await writeManifest(folder);
  await buildWorker(folder);
  report(manifest, compress());
}

/** Writes a `.br` next to each text file of the build. Returns the compressed sizes in bytes by path. */
function compress(): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const name of globSync('**/*.{js,css,html,svg,json,webmanifest,txt}', { cwd: folder })) {
    const text = readFileSync(join(folder, name));
    // Brotli's default quality is its best.
    const compressed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } });
    writeFileSync(join(folder, `${name}.br`), compressed);
    sizes.set(name.replaceAll('\\', '/'), compressed.length);
  }
  return sizes;
}

/** Prints the weight of each first screen, and sets the exit code if one exceeds the budget. */
function report(manifest: Manifest, weights: ReadonlyMap<string, number>): void {
  for (const screen of FIRST_SCREENS) {
    const files = filesOf(manifest, [...SHELL, screen]);
    const bytes = [...files].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0);
    const name = screen.replace(/^.*\/|\.tsx$/g, '');
    const over = bytes > BUDGET;
    console.log(`${over ? '✗' : '✓'} ${name}: ${kilobytes(bytes)} of JavaScript (brotli; limit: ${kilobytes(BUDGET)})`);
    if (over) process.exitCode = 1;
  }
}

/** The JavaScript files of these chunks and of their static imports. @throws Error if the build lacks a chunk */
function filesOf(manifest: Manifest, keys: readonly string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk: ManifestChunk | undefined = manifest[key];
    if (!chunk) throw new Error(`The build does not contain ${key}.`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    filesOf(manifest, chunk.imports ?? [], files);
  }
  return files;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
