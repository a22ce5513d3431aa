import { type Import, readSources, type Source } from './lib/parse-source.ts';
import { root } from './lib/root.ts';

/**
 * Checks the two laws of CONTRIBUTING.md.
 *
 * 1. Runtime: a file directly in a slice is pure and runs everywhere. Files in `server/`, `web/` and `worker/` may import
 *    it, and never each other. Each runtime uses only the packages that `PACKAGES` gives it.
 * 2. Order: imports point left only, in the order below, and never in a circle.
 */
const ORDER = [
  'base',
  'kit',
  'auth',
  'ideas',
  'dates',
  'notes',
  'memories',
  'search',
  'uploads',
  'date-mode',
  'stats',
  'home',
  'reminders',
  'keeping',
  'app',
];

type Runtime = 'pure' | 'server' | 'web' | 'worker';
const FOLDERS: readonly string[] = ['server', 'web', 'worker'] satisfies Runtime[];

/** The runtimes that may import each package. A package that isn't listed may not be imported. */
const PACKAGES: Readonly<Record<string, readonly Runtime[]>> = {
  '@aws-sdk/client-s3': ['server'],
  '@fastify/static': ['server'],
  '@node-rs/argon2': ['server'],
  '@prometheus-io/client': ['server'],
  '@simplewebauthn/browser': ['web'],
  '@simplewebauthn/server': ['server'],
  '@tanstack/react-query': ['web'],
  '@fastify/busboy': ['server'],
  '@tus/server': ['server'],
  'better-sqlite3': ['server'],
  cookie: ['server'],
  'eventsource-client': ['web'],
  fastify: ['server'],
  'ical-generator': ['server'],
  idb: ['web'],
  kysely: ['server'],
  'lucide-react': ['web'],
  negotiator: ['server'],
  node: ['server'],
  nodemailer: ['server'],
  'openid-client': ['server'],
  'p-queue': ['server'],
  pg: ['server'],
  react: ['web'],
  'react-dom': ['web'],
  'react-hook-form': ['web'],
  'react-photo-album': ['web'],
  sharp: ['server'],
  'temporal-polyfill': ['web'],
  thumbhash: ['server', 'web'],
  'tus-js-client': ['web'],
  uqr: ['web'],
  uuidv7: ['server', 'web'],
  virtua: ['web'],
  'web-push': ['server'],
  'workbox-precaching': ['worker'],
  'workbox-routing': ['worker'],
  wouter: ['web'],
  yauzl: ['server'],
  'zip-stream': ['server'],
  // Contracts are pure and use zod; `zodFault` keeps it out of the browser.
  zod: ['pure', 'server'],
  'zod-openapi': ['server'],
};

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Every violation of the laws in these files. Tests may import anything. */
export function lawViolations(sources: readonly Source[]): Violation[] {
  const zodFiles = filesThatLoadZod(sources);
  return [
    ...sources.filter(({ path }) => !isTest(path)).flatMap((source) => sourceViolations(source, zodFiles)),
    ...circles(sources),
  ];
}

/** A violation for each import that leads back to its own file, dynamic imports included. */
function circles(sources: readonly Source[]): Violation[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.filter(({ typeOnly }) => !typeOnly)]));
  const found: Violation[] = [];
  const finished = new Set<string>();
  const visit = (path: string, chain: readonly string[]) => {
    for (const { target, line } of importsOf.get(path) ?? []) {
      const start = chain.indexOf(target);
      if (start !== -1)
        found.push({ path, line, message: `a circle of imports: ${[...chain.slice(start), target].join(' → ')}` });
      else if (!finished.has(target)) visit(target, [...chain, target]);
    }
    finished.add(path);
  };
  for (const { path } of sources) if (!finished.has(path)) visit(path, [path]);
  return found;
}

function sourceViolations(source: Source, zodFiles: ReadonlySet<string>): Violation[] {
  const found: Violation[] = [];
  const here = placeOf(source.path);
  if (!here) return [{ path: source.path, line: 1, message: `is in no slice (${ORDER.join(', ')})` }];
  if (here.runtime === 'pure') {
    for (const { what, line } of source.impurities) {
      found.push({ path: source.path, line, message: `a pure file reads ${what}; take it as an argument instead` });
    }
  }
  for (const item of source.imports) {
    const message = item.relative
      ? (relativeFault(here, item) ?? zodFault(here, item, zodFiles))
      : packageFault(here, item);
    if (message) found.push({ path: source.path, line: item.line, message });
  }
  return found;
}

interface Place {
  /** The position of its slice in the order. */
  readonly rank: number;
  readonly runtime: Runtime;
}

/** The slice and runtime of a file. Files directly in `src/` rank between base and the other slices. */
function placeOf(path: string): Place | undefined {
  const [, slice = '', folder = ''] = path.split('/');
  if (path.split('/').length === 2) return { rank: 0.5, runtime: 'pure' };
  const rank = ORDER.indexOf(slice);
  if (rank === -1) return undefined;
  return { rank, runtime: FOLDERS.includes(folder) ? (folder as Runtime) : 'pure' };
}

function relativeFault(here: Place, { target }: Import): string | undefined {
  if (!target.startsWith('src/')) return `'${target}' is outside src/`;
  if (isTest(target)) return `'${target}' is a test`;
  if (!/\.\w+(\?\w+)?$/.test(target)) return `'${target}' has no file extension`;
  const there = placeOf(target);
  if (!there) return `'${target}' is in no slice`;
  if (there.runtime !== 'pure' && there.runtime !== here.runtime) {
    return `${here.runtime} may not use ${there.runtime} ('${target}')`;
  }
  if (there.rank > here.rank) return `imports point left only (${ORDER.join(' ← ')}): '${target}' is to the right`;
  return undefined;
}

function packageFault(here: Place, { target }: Import): string | undefined {
  const runtimes = PACKAGES[packageOf(target)];
  if (!runtimes) return `'${target}' is not in the package table of scripts/laws.ts`;
  return runtimes.includes(here.runtime) ? undefined : `${here.runtime} may not use '${target}'`;
}

/** The package of an import: `@scope/name` of `@scope/name/file`, and `node` for Node's own modules. */
function packageOf(target: string): string {
  if (target.startsWith('node:')) return 'node';
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

function zodFault(here: Place, { target, typeOnly }: Import, zodFiles: ReadonlySet<string>): string | undefined {
  if ((here.runtime !== 'web' && here.runtime !== 'worker') || typeOnly || !zodFiles.has(target)) return undefined;
  return `'${target}' loads zod in the browser: import only its types`;
}

/** The files that load zod, directly or through another file. */
function filesThatLoadZod(sources: readonly Source[]): Set<string> {
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { path, imports } of sources) {
      if (imports.some(({ target, typeOnly }) => !typeOnly && (target === 'zod' || found.has(target)))) found.add(path);
    }
  }
  return found;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

if (import.meta.main) {
  const found = lawViolations(readSources(root));
  for (const { path, line, message } of found) console.log(`${path}:${line}: ${message}`);
  if (found.length > 0) process.exitCode = 1;
}
