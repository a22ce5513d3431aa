import { resolve } from 'node:path';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` has put the server. */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`;

/** The first with `light-dark()`, in spring 2024: so the two colours of a token stay one declaration. */
const BROWSERS = { chrome: 123, edge: 123, firefox: 120, safari: 17.5, ios: 17.5 };

/**
 * What React's compiler leaves alone: others' code, and the parts of the first page, which are cheap to draw anew, while
 * the compiler's caches in them made that page 6 KB heavier.
 */
const NOT_COMPILED = [
  /[\\/]node_modules[\\/]/,
  /[\\/]src[\\/](kit[\\/]web[\\/](?!forms[\\/](draft|versioned-edit|stale-edit|unsaved)|layout[\\/](card-list|virtual-cards)|feedback[\\/](flag-notice|waiting))|app[\\/]web[\\/]|home[\\/]web[\\/])/,
];

/** Little files of React's side that most pages use: apart, each would cost a request and compress badly. */
const COMMON =
  /[\\/]src[\\/](base[\\/]web[\\/](alive|async|install|now)|kit[\\/]web[\\/](cx|(feedback|forms|layout)[\\/](actions|banner|button|confirm|empty-state|icon-button|loading|nav-bar|notices|page|section|text-link))|auth[\\/]web[\\/](session[\\/](use-session|use-sign-out)|couple[\\/]folio-text)|app[\\/]web[\\/]light-icon)\.|[\\/]icons[\\/](chevron-down|circle-alert|menu|x)\./;

/** What the dashboard is pasted together of. */
const PAPERS =
  /[\\/]src[\\/]kit[\\/]web[\\/](album|layout)[\\/](contents|corners|figures|print|ticket)\.|[\\/]icons[\\/](arrow-right|pause|play)\./;

/** What runs before React is here: none of it may lie in a file that waits for that. */
const START =
  /[\\/]src[\\/](paths|base[\\/](first|kept-here|call|time|text|web[\\/](api|device-store|draft-store|first|guards|install-offer))|auth[\\/]web[\\/](session[\\/]session|settings[\\/]appearance)|home[\\/]web[\\/]fetch-dashboard)\.ts/;

/**
 * The page. The policy it is served under is `script-src 'self'; style-src 'self'`: nothing may be inlined into the
 * HTML or come as a `data:` address.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/app/web'),
  cacheDir: resolve(import.meta.dirname, 'node_modules/.vite'),
  plugins: [react(), babel({ presets: [reactCompilerPreset()], exclude: NOT_COMPILED }), withoutZod(), drawingAhead()],
  resolve: {
    alias: [
      // The router still brings a stand-in for what React itself has had since version 18.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: resolve(import.meta.dirname, 'src/app/web/light-icon.ts') },
    ],
  },
  css: {
    transformer: 'lightningcss',
    lightningcss: { cssModules: { pattern: '[hash]_[local]' }, targets: cssTargets() },
  },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: Object.entries(BROWSERS).map(([name, version]) => name + version),
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What a screen is made of is fetched side by side; what comes later may take its time.
      resolveDependencies: (_, files, { hostId, hostType }) =>
        hostType === 'html' || /\bindex-/.test(hostId) ? files : [],
    },
    cssMinify: 'lightningcss',
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What changes with a new version of React alone keeps its name, and stays in the browsers' caches.
        codeSplitting: {
          groups: [
            { name: 'start', test: START, priority: 1 },
            { name: 'query', test: /[\\/]@tanstack[\\/](?!.*[mM]utation(Observer)?\.)/ },
            { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: 'common', test: COMMON },
            { name: 'papers', test: PAPERS },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.WEB_PORT ?? '5173'),
    strictPort: process.env.WEB_PORT !== undefined,
    // The Host header stays that of the page, so that the server finds the page's Origin to be its own.
    proxy: { '/api': { target: api }, '/healthz': { target: api }, '/readyz': { target: api } },
  },
});

/** Fails the build where zod has found its way into the page: 20 KB that the rules do without. */
function withoutZod(): Plugin {
  return {
    name: 'without-zod',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.moduleIds.some((id) => /[\\/]node_modules[\\/]zod[\\/]/.test(id)))
          continue;
        this.error(
          `zod is in '${chunk.fileName}': a file of the page imports a contract's values, not its types alone.`,
        );
      }
    },
  };
}

/** Lets the HTML itself ask for what the page is drawn with, which the entry would ask for only once it runs. */
function drawingAhead(): Plugin {
  return {
    name: 'drawing-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle, path }) => {
        // The show of components is built by this configuration as well, from a page of its own.
        if (path !== '/index.html') return [];
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk');
        const drawing = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/app/web/draw.tsx'));
        if (!drawing) throw new Error('The build has no draw.tsx.');
        const names = [drawing.fileName, ...drawing.imports];
        return names
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            injectTo: 'head' as const,
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          }));
      },
    },
  };
}

/** The browsers as Lightning CSS counts their versions. */
function cssTargets(): Record<string, number> {
  const count = (version: number) => (Math.floor(version) << 16) | (Math.round((version % 1) * 10) << 8);
  return Object.fromEntries(
    Object.entries(BROWSERS).map(([name, version]) => [name === 'ios' ? 'ios_saf' : name, count(version)]),
  );
}
