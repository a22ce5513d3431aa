import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ViteDevServer } from 'vite';
import { OLDEST_BROWSERS } from './scripts/lib/oldest-browsers.ts';
import { version } from './src/app/server/version.ts';
import type { PageAssets, renderDocument } from './src/app/web/rendering/document.tsx';

/** The server of `npm run dev`. */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`;

/** The parts of the kit that React Compiler compiles, because they hold state or long lists. */
const COMPILED_KIT = [
  'src/kit/web/feedback/flag-notice.ts',
  'src/kit/web/feedback/outbox-list.tsx',
  'src/kit/web/forms/draft.ts',
  'src/kit/web/forms/stale-edit.tsx',
  'src/kit/web/forms/unsaved.ts',
  'src/kit/web/forms/versioned-edit.ts',
  'src/kit/web/layout/card-list.tsx',
  'src/kit/web/layout/virtual-cards.tsx',
];

/**
 * What React Compiler skips: libraries, and the parts of the first page. Those are cheap to render again, and the
 * compiler's memoization adds 6 KB.
 */
const NOT_COMPILED = [
  /[\\/]node_modules[\\/]/,
  /[\\/]src[\\/](app|home)[\\/]web[\\/]/,
  new RegExp(`[\\\\/]src[\\\\/]kit[\\\\/]web[\\\\/](?!${COMPILED_KIT.map(inKit).join('|')})`),
];

/** Small modules that most pages share. As separate chunks, each would need a request and compress badly. */
const COMMON = [
  'src/base/web/async.tsx',
  'src/base/web/hydration.tsx',
  'src/base/web/install.ts',
  'src/base/web/now.ts',
  'src/kit/web/cx.ts',
  'src/kit/web/feedback/banner.tsx',
  'src/kit/web/feedback/confirm.tsx',
  'src/kit/web/feedback/empty-state.tsx',
  'src/kit/web/feedback/loading.tsx',
  'src/kit/web/feedback/notices.tsx',
  'src/kit/web/forms/button.tsx',
  'src/kit/web/forms/icon-button.tsx',
  'src/kit/web/layout/actions.tsx',
  'src/kit/web/layout/nav-bar.tsx',
  'src/kit/web/layout/page.tsx',
  'src/kit/web/layout/section.tsx',
  'src/kit/web/layout/text-link.tsx',
  'src/auth/web/couple/folio-text.ts',
  'src/auth/web/session/use-session.ts',
  'src/auth/web/session/use-sign-out.ts',
  'src/app/web/rendering/light-icon.ts',
  'node_modules/lucide-react/dist/esm/icons/chevron-down.mjs',
  'node_modules/lucide-react/dist/esm/icons/circle-alert.mjs',
  'node_modules/lucide-react/dist/esm/icons/menu.mjs',
  'node_modules/lucide-react/dist/esm/icons/x.mjs',
];

/** The components of the dashboard. */
const DASHBOARD = [
  'src/kit/web/album/corners.tsx',
  'src/kit/web/album/print.tsx',
  'src/kit/web/album/ticket.tsx',
  'src/kit/web/layout/contents.tsx',
  'src/kit/web/layout/figures.tsx',
  'src/dates/display-status.ts',
  'src/dates/time-texts.ts',
  'src/memories/web/print-of.ts',
  'src/stats/totals.ts',
  'node_modules/lucide-react/dist/esm/icons/arrow-right.mjs',
  'node_modules/lucide-react/dist/esm/icons/pause.mjs',
  'node_modules/lucide-react/dist/esm/icons/play.mjs',
];

/** The chunks that every page loads. */
const ON_EVERY_PAGE = /\/(rolldown-runtime|start|react|query|common)-/;

/** What every form needs, the sign-in page included. */
const FORMS = [
  'src/base/web/create-once.ts',
  'src/base/form.ts',
  'src/kit/web/forms/field.tsx',
  'src/kit/web/forms/field.module.css',
  'src/kit/web/forms/fields.tsx',
  'src/kit/web/forms/fields.module.css',
  'src/kit/web/forms/text-field.tsx',
  'src/kit/web/forms/text-field.module.css',
  'node_modules/@tanstack/react-query/build/modern/useMutation.js',
  'node_modules/@tanstack/query-core/build/modern/mutationObserver.js',
];

/** What the forms need besides, lists with filters, and later parts of most screens. */
const MORE_FIELDS = [
  'src/base/web/complete-times.ts',
  'src/base/web/go-back.ts',
  'src/kit/web/forms/check-field.tsx',
  'src/kit/web/forms/held.ts',
  'src/kit/web/forms/quick-fills.tsx',
  'src/kit/web/forms/select-field.tsx',
  'src/kit/web/forms/text-area.tsx',
  'src/kit/web/forms/toggle-group.tsx',
  'src/kit/web/isolate.tsx',
  'src/kit/web/layout/focus-main.ts',
];

/*
 * Most pages need the next groups soon after their start. As small files, each would need a request, which takes a phone
 * on a slow connection about as long as a large file.
 */

/** What stores data on the device, and what deletes it. */
const DEVICE = [
  'src/app/web/queries/last-seen-queries.ts',
  'src/auth/web/couple/farewell.ts',
  'src/base/web/device-database.ts',
  'src/base/web/forget.ts',
  'src/auth/web/session/end-session.ts',
  'src/base/web/last-seen.ts',
  'src/base/web/outbox.ts',
  'src/base/web/outbox-database.ts',
  'src/base/web/stored-draft.ts',
  'src/base/web/words.ts',
  'node_modules/idb/build/index.js',
  'node_modules/uuidv7/dist/index.js',
];

/** What most screens know of dates. */
const DATES = [
  'src/base/web/form-loader.tsx',
  'src/dates/detail-texts.ts',
  'src/dates/reveal-time.ts',
  'src/dates/surprise-texts.ts',
  'src/dates/web/queries.ts',
];

/** What most screens show of ideas. */
const IDEAS = [
  'src/base/calendar.ts',
  'src/ideas/hearts.ts',
  'src/ideas/rules.ts',
  'src/ideas/web/category.tsx',
  'src/kit/web/album/category-label.tsx',
  'node_modules/lucide-react/dist/esm/icons/heart.mjs',
  'node_modules/lucide-react/dist/esm/icons/rotate-ccw.mjs',
];

/** What the dashboard, the statistics and their celebrations share. */
const STATS = [
  'src/kit/web/album/medal.tsx',
  'src/stats/periods.ts',
  'src/stats/year-texts.ts',
  'src/stats/web/milestone-icon.tsx',
  'src/stats/web/queries.ts',
];

/** What lists, sends and stores what waits to be sent: in one chunk, since the first page lists all chunks. */
const UNSENT = [
  'src/dates/note-merge.ts',
  'src/dates/web/date-mode/date-words.ts',
  'src/dates/web/date-mode/save-note.ts',
  'src/home/waiting-text.ts',
  'src/kit/web/feedback/outbox-list.tsx',
  'src/uploads/web/queue/send-photo.ts',
  'src/uploads/web/queue/sender.ts',
  'src/uploads/web/queue/shots.ts',
  'src/uploads/web/queue/store-shot.ts',
  'src/uploads/web/queue/unsent-store.ts',
];

/** The modules that the entry runs before React loads. They must not share a chunk with modules that import React. */
const ENTRY = [
  'src/paths.ts',
  'src/base/call.ts',
  'src/base/worker-contract.ts',
  'src/base/ssr.ts',
  'src/base/text.ts',
  'src/base/time.ts',
  'src/base/web/api.ts',
  'src/base/web/device-store.ts',
  'src/base/web/guards.ts',
  'src/base/web/install-offer.ts',
  'src/base/web/ssr.ts',
  'src/auth/web/session/session.ts',
  'src/auth/web/settings/appearance.ts',
  'src/home/web/fetch-dashboard.ts',
];

/**
 * Configures the build of the page and the dev server. The Content-Security-Policy is `script-src 'self'; style-src
 * 'self'`, so nothing may be inlined into the HTML or become a `data:` URL.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/app/web'),
  // There is no HTML file: React renders the document (src/app/web/rendering/document.tsx).
  appType: 'custom',
  cacheDir: resolve(import.meta.dirname, 'node_modules/.vite'),
  define: { APP_VERSION: JSON.stringify(version) },
  plugins: [
    react(),
    serverJsx(),
    babel({ presets: [reactCompilerPreset()], exclude: NOT_COMPILED }),
    serveDocument(),
    withoutZod(),
    replaceModules({
      // wouter imports a shim for a hook that React has included since version 18.
      'use-sync-external-store/shim/index.js': 'react',
      '../createLucideIcon.mjs': resolve(import.meta.dirname, 'src/app/web/rendering/light-icon.ts'),
    }),
  ],
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
    modulePreload: {
      polyfill: false,
      // Preloads the chunks of a screen in parallel, but not those that a screen loads later.
      // The document itself preloads what every page loads; naming it for each screen again would weigh on the entry.
      resolveDependencies: (url, files, { hostId }) =>
        /\bmain-/.test(hostId) ? files.filter((file) => url.includes('entry-client') || !ON_EVERY_PAGE.test(file)) : [],
    },
    cssMinify: 'lightningcss',
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: resolve(import.meta.dirname, 'src/app/web/main.ts'),
      output: {
        // The entry lists the names of most files, and hashes don't compress.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // React and the query library have chunks of their own, so that they stay cached across releases.
        codeSplitting: {
          groups: [
            { name: 'start', test: isOneOf(ENTRY), priority: 1 },
            // Without mutations and hydration, which most first pages do not load.
            { name: 'query', test: /[\\/]@tanstack[\\/](?!.*([mM]utation(Observer)?|hydration)\.)/ },
            { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: 'common', test: isOneOf(COMMON) },
            { name: 'dashboard', test: isOneOf(DASHBOARD) },
            { name: 'forms', test: isOneOf(FORMS) },
            { name: 'more-fields', test: isOneOf(MORE_FIELDS) },
            { name: 'device', test: isOneOf(DEVICE) },
            { name: 'dates', test: isOneOf(DATES) },
            { name: 'ideas', test: isOneOf(IDEAS) },
            { name: 'stats', test: isOneOf(STATS) },
            { name: 'unsent', test: isOneOf(UNSENT) },
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

/** Serves the plain page at every address in development. */
function serveDocument(): Plugin {
  return {
    name: 'serve-document',
    configureServer: (server) => () => {
      server.middlewares.use((request, response, next) => {
        if (!request.headers.accept?.includes('text/html')) return next();
        renderDevPage(server, request.url ?? '/').then((html) => {
          response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
        }, next);
      });
    },
  };
}

/** Renders the plain page with Vite's scripts in it. In development the entry imports everything else. */
async function renderDevPage(server: ViteDevServer, url: string): Promise<string> {
  const module = await server.ssrLoadModule('/rendering/document.tsx');
  const { renderDocument: render } = module as { renderDocument: typeof renderDocument };
  const assets: PageAssets = { entry: '/main.ts', stylesheets: [], fonts: [], entryModules: [], clientModules: [] };
  return server.transformIndexHtml(url, await render(assets, null));
}

/** Fails the build if the page contains zod, which is 20 KB and only needed on the server. */
function withoutZod(): Plugin {
  return {
    name: 'without-zod',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.moduleIds.some((id) => /[\\/]node_modules[\\/]zod[\\/]/.test(id)))
          continue;
        this.error(
          `zod is in '${chunk.fileName}': a file of the page imports values from a contract, but may import only types.`,
        );
      }
    },
  };
}

/** Compiles the server build with its own JSX runtime (src/app/web/rendering/server-jsx/jsx-runtime.ts). */
function serverJsx(): Plugin {
  return {
    name: 'server-jsx',
    apply: (_, { isSsrBuild }) => isSsrBuild === true,
    config: () => ({
      oxc: { jsx: { importSource: resolve(import.meta.dirname, 'src/app/web/rendering/server-jsx') } },
    }),
  };
}

/**
 * Replaces modules that libraries import.
 * @param replacements paths of the replacements by import specifier; the build fails if a specifier is never imported
 */
function replaceModules(replacements: Readonly<Record<string, string>>): Plugin {
  const unused = new Set(Object.keys(replacements));
  return {
    name: 'replace-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const replacement = replacements[source];
      if (replacement === undefined) return null;
      unused.delete(source);
      return this.resolve(replacement, importer, { skipSelf: true });
    },
    buildEnd(error) {
      if (!error && unused.size > 0) this.error(`No module imports ${[...unused].join(', ')} any more.`);
    },
  };
}

/**
 * Returns a test for module ids.
 * @param paths from the repository's root
 * @throws Error if a file does not exist
 */
function isOneOf(paths: readonly string[]): (id: string) => boolean {
  const files = new Set(paths.map((path) => resolve(import.meta.dirname, path)));
  const missing = [...files].filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`vite.config.ts names files that do not exist: ${missing.join(', ')}`);
  return (id) => files.has(resolve(id));
}

/** Converts the path of a kit file to a pattern: without the kit's folder and the extension. */
function inKit(path: string): string {
  if (!existsSync(resolve(import.meta.dirname, path)))
    throw new Error(`vite.config.ts names '${path}', which does not exist.`);
  return path.replace(/^src\/kit\/web\/|\.tsx?$/g, '').replace('/', '[\\\\/]');
}

/** Encodes the browser versions for Lightning CSS. */
function cssTargets(): Record<string, number> {
  const encode = (version: number) => (Math.floor(version) << 16) | (Math.round((version % 1) * 10) << 8);
  return Object.fromEntries(
    Object.entries(OLDEST_BROWSERS).map(([name, version]) => [name === 'ios' ? 'ios_saf' : name, encode(version)]),
  );
}
