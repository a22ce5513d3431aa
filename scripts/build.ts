import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Manifest } from 'vite';
import { buildWorker, writeManifest } from './lib/installable.ts';
import { root } from './lib/tools.ts';
import { hashWebSources, writeWebStamp } from './lib/web-build.ts';

/*
 * `npm run build`: builds the page into `dist/web` with its manifest, service worker, and a `.br` for each text file.
 * Builds the page's server entry into `dist/server`. Fails if the JavaScript of a first page exceeds its budget.
 */

/** The most JavaScript of a first page, compressed, in bytes. */
const BUDGET = 90 * 1024;
/** The screens that users open first. */
const FIRST_PAGES = ['home/web/dashboard-page.tsx', 'auth/web/sign-in/sign-in-page.tsx'];

const folder = join(root, 'dist', 'web');
const sources = hashWebSources();
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
// Moves Vite's manifest out of the public folder: only this script reads it.
const manifestPath = join(root, 'dist', 'web.manifest.json');
renameSync(join(folder, '.vite', 'manifest.json'), manifestPath);
rmSync(join(folder, '.vite'), { recursive: true });
await buildServerEntry();
await writeManifest(folder);
await buildWorker(folder);

const weights = compress();
writeWebStamp(sources);
report(JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest);

/** Builds the server entry (src/app/web/rendering/entry-server.tsx) with all libraries bundled. */
async function buildServerEntry(): Promise<void> {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'rendering/entry-server.tsx',
      outDir: join(root, 'dist', 'server'),
      emptyOutDir: true,
      manifest: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { codeSplitting: { groups: [] } } },
    },
  });
}

/** Writes a `.br` next to each text file of the build. Returns the compressed sizes in bytes by path. */
function compress(): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const name of globSync('**/*.{js,css,html,svg,json,webmanifest,txt}', { cwd: folder })) {
    const text = readFileSync(join(folder, name));
    const compressed = brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    });
    writeFileSync(join(folder, `${name}.br`), compressed);
    sizes.set(name.replaceAll('\\', '/'), compressed.length);
  }
  return sizes;
}

/** Prints the weight of each first page, and sets the exit code if one exceeds the budget. */
function report(manifest: Manifest): void {
  // The entry, and React with the app, which the entry always loads.
  const first = Object.keys(manifest).filter((key) => manifest[key]?.isEntry || key === 'rendering/entry-client.tsx');
  if (first.length !== 2) throw new Error('The build does not contain main.ts or entry-client.tsx.');
  const pages = FIRST_PAGES.map((page) => Object.keys(manifest).find((key) => key.endsWith(page)));
  for (const page of new Set([undefined, ...pages])) {
    const files = filesOf(manifest, page === undefined ? first : [...first, page]);
    const bytes = [...files].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0);
    const name = page === undefined ? 'entry' : `entry + ${page.replace(/^.*\/|\.tsx$/g, '')}`;
    const over = bytes > BUDGET;
    console.log(`${over ? '✗' : '✓'} ${name}: ${kilobytes(bytes)} of JavaScript (brotli; limit: ${kilobytes(BUDGET)})`);
    if (over) process.exitCode = 1;
  }
}

/** The JavaScript files of these chunks and of their static imports, without dynamic imports. */
function filesOf(manifest: Manifest, keys: readonly string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) continue;
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    filesOf(manifest, chunk.imports ?? [], files);
  }
  return files;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
