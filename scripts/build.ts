import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Manifest } from 'vite';
import { buildWorker, writeManifest } from './lib/installable.ts';
import { root } from './lib/tools.ts';
import { hashWebSources, stampWeb } from './lib/web-build.ts';

/**
 * `npm run build`: the page, ready to be served, in `dist/web`, with its manifest and service worker and a `.br` beside each text; fails where the first
 * page's JavaScript outgrows its budget.
 */
const BUDGET = 90 * 1024;
/** What a visitor loads first: the dashboard, or signed out the sign-in page. */
const FIRST_PAGES = ['home/web/dashboard-page.tsx', 'auth/web/sign-in/sign-in-page.tsx'];

const folder = join(root, 'dist', 'web');
const sources = hashWebSources();
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
// It is for this script, not for visitors.
const manifestPath = join(root, 'dist', 'web.manifest.json');
renameSync(join(folder, '.vite', 'manifest.json'), manifestPath);
rmSync(join(folder, '.vite'), { recursive: true });
await buildDrawer();
await writeManifest(folder);
await buildWorker(folder);

const weights = compress();
stampWeb(sources);
report(JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest);

/** The same screens as the server draws them: all in a file or some, with nothing to be installed beside it. */
async function buildDrawer(): Promise<void> {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'drawn.tsx',
      outDir: join(root, 'dist', 'drawn'),
      emptyOutDir: true,
      manifest: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { codeSplitting: { groups: [] } } },
    },
  });
}

/** Writes a `.br` beside each text of the build; the answer is the compressed bytes of each by its path. */
function compress(): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of globSync('**/*.{js,css,html,svg,json,webmanifest,txt}', { cwd: folder })) {
    const text = readFileSync(join(folder, name));
    const compressed = brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    });
    writeFileSync(join(folder, `${name}.br`), compressed);
    found.set(name.replaceAll('\\', '/'), compressed.length);
  }
  return found;
}

/** Prints what each first page weighs, and fails over the budget. */
function report(manifest: Manifest): void {
  // What the HTML asks for: the entry, and what it draws with.
  const first = Object.keys(manifest).filter((key) => manifest[key]?.isEntry || key === 'draw.tsx');
  if (first.length !== 2) throw new Error('The build has no entry, or nothing to draw with.');
  const pages = FIRST_PAGES.map((page) => Object.keys(manifest).find((key) => key.endsWith(page)));
  for (const page of new Set([undefined, ...pages])) {
    const files = filesOf(manifest, page === undefined ? first : [...first, page]);
    const bytes = [...files].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0);
    const name = page === undefined ? 'entry' : `entry + ${page.replace(/^.*\/|\.tsx$/g, '')}`;
    const over = bytes > BUDGET;
    console.log(
      `${over ? '✗' : '✓'} ${name}: ${kilobytes(bytes)} of JavaScript (brotli; at most ${kilobytes(BUDGET)})`,
    );
    if (over) process.exitCode = 1;
  }
}

/** The JavaScript files which these chunks load, themselves included, without what is imported on demand. */
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
