import { createHash } from 'node:crypto';
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
    files: ['scripts/build.ts', 'scripts/lib/build-server.ts', 'package-lock.json'],
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
export function isFresh(part: Part): boolean {
  try {
    return readFileSync(stampOf(part), 'utf8') === hashSources(part);
  } catch {
    return false;
  }
}

/** Saves the hash of the sources that a part was built from. */
export function writeStamp(part: Part, hash: string): void {
  mkdirSync(dirname(stampOf(part)), { recursive: true });
  writeFileSync(stampOf(part), hash);
}
