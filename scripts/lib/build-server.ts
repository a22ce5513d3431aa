import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';
import { root } from './root.ts';

/** The packages with native code. They stay in `node_modules`. */
const NATIVE = ['@node-rs/argon2', 'better-sqlite3', 'pg-native', 'sharp'];
/** What the server reads next to its code. */
const FILES = ['src/keeping/server/export/album.css'];

/**
 * Bundles the server with its libraries into `dist/app/server` (decision 35). What it imports on first use has a file of
 * its own. `server` is as deep as the entry's folder in `src`, because the server finds its other files from there.
 */
export async function buildServer(): Promise<void> {
  const folder = join(root, 'dist/app/server');
  rmSync(dirname(folder), { recursive: true, force: true });
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [mapOwnSources()],
    ssr: { noExternal: true, external: NATIVE },
    build: {
      ssr: 'src/app/server/main.ts',
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      target: 'esnext',
      rolldownOptions: {
        output: {
          // CommonJS, because an `import` of Node's `http` would load everything that it can export.
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name].cjs',
          comments: false,
          sourcemapExcludeSources: true,
        },
      },
    },
  });
  for (const file of FILES) copyFileSync(join(root, file), join(folder, file.replace(/^.*\//, '')));
}

/** Leaves the libraries out of the source map: Node reads all of it for the first stack trace. */
function mapOwnSources(): Plugin {
  return {
    name: 'map-own-sources',
    enforce: 'post',
    transform: { filter: { id: /[\\/]node_modules[\\/]/ }, handler: (code) => ({ code, map: { mappings: '' } }) },
  };
}
