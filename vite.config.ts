import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { OLDEST_BROWSERS } from './scripts/lib/oldest-browsers.ts';
import { appVersion } from './src/app/server/version.ts';

/** The server of `npm run dev`. */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`;

/** Lucide's icons. One file exports them all, so a module does not show which of them it imports. */
const ICONS = /[\\/]lucide-react[\\/]/;

/**
 * Configures the build of the page and the dev server. The Content-Security-Policy is `script-src 'self'; style-src
 * 'self'`, so nothing may be inlined into the HTML or become a `data:` URL.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/app/web'),
  cacheDir: resolve(import.meta.dirname, 'node_modules/.vite'),
  define: { APP_VERSION: JSON.stringify(appVersion) },
  plugins: [react(), completeDocument()],
  css: {
    transformer: 'lightningcss',
    lightningcss: { cssModules: { pattern: '[hash]_[local]' }, targets: cssTargets() },
  },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version),
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The entry lists the names of most files, and hashes don't compress.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // Cached across releases.
            { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'query', test: /[\\/]@tanstack[\\/]/, priority: 2 },
            // What runs before React has loaded.
            { name: 'start', tags: ['$initial'], test: /^(?!.*choose-scheme)/, priority: 1 },
            { name: importedBy('start/start-page.tsx', 'shell'), debugName: 'shell' },
            { name: importedBy('../../home/web/dashboard-page.tsx', 'dashboard'), debugName: 'dashboard' },
            { name: importedBy('../../auth/web/sign-in/sign-in-page.tsx', 'sign-in'), debugName: 'sign-in' },
            // Without it each screen would load up to 50 small files.
            { name: 'shared', test: /[\\/](src|lucide-react)[\\/]/, minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.WEB_PORT ?? '5173'),
    strictPort: process.env.WEB_PORT !== undefined,
    // The Host header stays unchanged, so the server recognizes the page's Origin as its own.
    proxy: { '/api': { target: api }, '/healthz': { target: api }, '/readyz': { target: api } },
  },
});

/** Runs before the first paint. */
const CHOOSE_SCHEME = 'start/choose-scheme.ts';
/** What the page loads at once besides the entry: the code that renders it, and the font of its first words. */
const START_PAGE = 'start/start-page.tsx';
const FONT = 'newsreader-latin-400-normal';

/**
 * Adds to `index.html` the script that runs before the first paint, and preloads of what the entry asks for, and puts the
 * styles before all other files.
 */
function completeDocument(): Plugin {
  const pathOf = (file: string) => resolve(import.meta.dirname, 'src/app/web', file);
  const script = (src: string) => ({ tag: 'script', attrs: { src }, injectTo: 'head-prepend' as const });
  const link = (attrs: Record<string, string>) => ({
    tag: 'link',
    attrs: { crossorigin: '', ...attrs },
    injectTo: 'head' as const,
  });
  return {
    name: 'complete-document',
    buildStart() {
      if (this.environment.mode === 'build') this.emitFile({ type: 'chunk', id: pathOf(CHOOSE_SCHEME) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return [script(`/${CHOOSE_SCHEME}`)];
        const files = Object.values(bundle);
        const chunkOf = (path: string) => {
          const found = files.find((file) => file.type === 'chunk' && file.facadeModuleId === pathOf(path));
          if (found?.type !== 'chunk') throw new Error(`The build lacks ${path}.`);
          return found;
        };
        const start = chunkOf(START_PAGE);
        const modules = [start.fileName, ...staticImports(bundle, start)].filter((file) => !html.includes(file));
        const [font = ''] = files.map(({ fileName }) => fileName).filter((name) => name.includes(FONT));
        const tags = [
          script(`/${chunkOf(CHOOSE_SCHEME).fileName}`),
          link({ rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}` }),
          ...modules.map((file) => link({ rel: 'modulepreload', href: `/${file}` })),
        ];
        // The first paint waits for the styles, and a browser loads files in this order.
        const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
        return { html: html.replace(styles, '').replace('<script', `${styles}\n    <script`), tags };
      },
    },
  };
}

/** The files that a chunk imports statically, and what they import. */
function staticImports(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, found = new Set<string>()) {
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (!found.has(name) && imported?.type === 'chunk') staticImports(bundle, imported, found.add(name));
  }
  return found;
}

/** Names the group of all modules that a module imports statically. */
function importedBy(path: string, name: string): Rolldown.CodeSplittingNameFunction {
  const root = resolve(import.meta.dirname, 'src/app/web', path);
  let imported: Set<string> | undefined;
  return (id, context) => {
    imported ??= walk(root, new Set());
    return imported.has(id) && id !== root ? name : null;

    function walk(from: string, found: Set<string>): Set<string> {
      if (ICONS.test(from)) return found;
      if (!found.has(from)) for (const to of context.getModuleInfo(from)?.importedIds ?? []) walk(to, found.add(from));
      return found.add(from);
    }
  };
}

/** Encodes the browser versions for Lightning CSS. */
function cssTargets(): Record<string, number> {
  const encode = (version: number) => (Math.floor(version) << 16) | (Math.round((version % 1) * 10) << 8);
  return Object.fromEntries(
    Object.entries(OLDEST_BROWSERS).map(([name, version]) => [name === 'ios' ? 'ios_saf' : name, encode(version)]),
  );
}
