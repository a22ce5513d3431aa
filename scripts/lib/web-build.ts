import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
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

/** Builds the page if it is stale. Returns false if that failed; what it prints goes to standard error. */
export async function ensureWebFresh(): Promise<boolean> {
  if (isWebFresh()) return true;
  process.stderr.write('Building the page …\n');
  // In a separate process, so that the build tools don't stay in this one's memory.
  const build = spawn(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: ['ignore', 2, 2] });
  await once(build, 'close');
  // A page over its size budget fails `npm test`, but still starts.
  return isWebFresh();
}

/** Saves the hash of the sources that `dist/web` was built from. */
export function writeWebStamp(sources: string): void {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, sources);
}
