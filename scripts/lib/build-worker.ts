import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './root.ts';

/**
 * Builds the service worker with the list of files that it caches. Files without a hash in their name get a hash of
 * their content as the revision.
 */
export async function buildWorker(folder: string): Promise<void> {
  const files = globSync(['assets/*.{js,css,woff2}', 'icon.svg', 'index.html'], { cwd: folder })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({ url: `/${name}`, revision: name.startsWith('assets/') ? null : hashOf(join(folder, name)) }));
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { FILES: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, 'src/app/worker/worker.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}
