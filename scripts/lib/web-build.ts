import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './tools.ts';

/** Contains the hash of the sources of `dist/web`. It is outside that folder, because the server serves the folder. */
const STAMP = join(root, 'dist', 'web.sources');

/** Hashes all sources of the page. */
export function hashWebSources(): string {
  const hash = createHash('sha256');
  const scripts = 'scripts/lib/{installable,page-assets}.ts';
  const sources = globSync(['src/**/*', scripts, 'vite.config.ts', 'package-lock.json'], {
    cwd: root,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]server[\\/]|\.test\.tsx?$/.test(path));
  for (const path of sources.sort()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

/** Whether `dist/web` was built from the current sources. */
export function isWebFresh(): boolean {
  try {
    return readFileSync(STAMP, 'utf8') === hashWebSources();
  } catch {
    return false;
  }
}

/** Saves the hash of the sources that `dist/web` was built from. */
export function writeWebStamp(sources: string): void {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, sources);
}
