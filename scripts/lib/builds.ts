import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';

/** What `npm run build` builds: the page in `dist/web`, and the server in `dist/app`. */
export const PARTS = ['page', 'server'] as const;
export type Part = (typeof PARTS)[number];

interface Sources {
  /** What is built besides `src`. */
  readonly files: readonly string[];
  /** What in `src` it does not contain. */
  readonly without: RegExp;
}

const SOURCES: Readonly<Record<Part, Sources>> = {
  page: {
    files: [
      'scripts/build.ts',
      'scripts/lib/{build-worker,oldest-browsers,web-manifest}.ts',
      'vite.config.ts',
      'package.json',
      'package-lock.json',
    ],
    without: /[\\/]server[\\/]|\.test\.tsx?$/,
  },
  server: {
    files: ['scripts/build.ts', 'scripts/lib/server-build.ts', 'package-lock.json'],
    without: /[\\/](web|worker)[\\/]|\.test\.tsx?$/,
  },
};

/** The file with the hash of the sources of a part that is built. */
const stampOf = (part: Part) => join(root, 'dist', `${part}.sources`);

/** Hashes all sources of a part. */
export function hashSources(part: Part): string {
  const hash = createHash('sha256');
  const { files, without } = SOURCES[part];
  const sources = globSync(['src/**/*', ...files], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !without.test(path));
  for (const path of sources.sort()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

/** Whether a part was built from the current sources. */
function isFresh(part: Part): boolean {
  try {
    return readFileSync(stampOf(part), 'utf8') === hashSources(part);
  } catch {
    return false;
  }
}

/** Builds the parts that are stale. Returns false if that failed; what it prints goes to standard error. */
export async function ensureBuilt(parts: readonly Part[] = PARTS): Promise<boolean> {
  const stale = parts.filter((part) => !isFresh(part));
  if (stale.length === 0) return true;
  process.stderr.write(`Building the ${stale.join(' and the ')} …\n`);
  // In a separate process, so that the build tools don't stay in this one's memory.
  const build = spawn(process.execPath, [join(root, 'scripts/build.ts'), ...stale], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  await once(build, 'close');
  // A page over its size budget fails `npm test`, but still starts.
  return stale.every(isFresh);
}

/** Saves the hash of the sources that a part was built from. */
export function writeStamp(part: Part, sources: string): void {
  mkdirSync(dirname(stampOf(part)), { recursive: true });
  writeFileSync(stampOf(part), sources);
}
