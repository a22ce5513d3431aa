import { type Import, readSources, type Source } from './lib/source.ts';
import { root } from './lib/tools.ts';

/**
 * The two laws of this house (CONTRIBUTING.md).
 *
 * 1. Runtime: a file directly in a slice is pure and runs everywhere; `server/`, `web/` and `worker/` may use it, never
 *    each other.
 * 2. Order: imports point left only, in the order below.
 */
const ORDER = [
  'base',
  'kit',
  'auth',
  'ideas',
  'dates',
  'memories',
  'uploads',
  'stats',
  'home',
  'reminders',
  'keeping',
  'app',
];
const RUNTIMES = ['server', 'web', 'worker'];

/** What pure files may take from outside. zod describes a call; it may not reach the browser, which is looked at below. */
const PURE_PACKAGES = new Set(['zod']);
/** Packages of one side, which the other may not take. */
const PAGE_PACKAGES =
  /^(react|react-dom|wouter|virtua|lucide-react|react-hook-form|react-photo-album|@tanstack\/|@fontsource\/)/;
const SERVER_PACKAGES =
  /^(node:|fastify$|@fastify\/|kysely|pg$|pino|better-sqlite3|sharp|zod|@aws-sdk\/|@node-rs\/|rate-limiter)/;

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Every breach of the laws in these files. Tests go through the whole house and are free. */
export function violations(sources: readonly Source[]): Violation[] {
  const bearsZod = zodBearers(sources);
  return sources.filter(({ path }) => !isTest(path)).flatMap((source) => sourceViolations(source, bearsZod));
}

function sourceViolations(source: Source, bearsZod: ReadonlySet<string>): Violation[] {
  const found: Violation[] = [];
  const here = placeOf(source.path);
  if (!here) return [{ path: source.path, line: 1, message: `lies in no slice (${ORDER.join(', ')})` }];
  if (here.runtime === 'pure') {
    for (const { what, line } of source.impurities) {
      found.push({ path: source.path, line, message: `a pure file reads ${what}; let it take that as an argument` });
    }
  }
  for (const item of source.imports) {
    const message = item.relative
      ? (relativeFault(here, item) ?? zodFault(here, item, bearsZod))
      : packageFault(here, item);
    if (message) found.push({ path: source.path, line: item.line, message });
  }
  return found;
}

interface Place {
  /** Where its slice stands in the order. */
  readonly rank: number;
  readonly runtime: string;
}

/** Where a file stands; the files directly in `src/` stand between base and the slices. */
function placeOf(path: string): Place | undefined {
  const [, slice = '', folder = ''] = path.split('/');
  if (path.split('/').length === 2) return { rank: 0.5, runtime: 'pure' };
  const rank = ORDER.indexOf(slice);
  if (rank === -1) return undefined;
  return { rank, runtime: RUNTIMES.includes(folder) ? folder : 'pure' };
}

function relativeFault(here: Place, { target }: Import): string | undefined {
  if (!target.startsWith('src/')) return `'${target}' is outside src/`;
  if (isTest(target)) return `'${target}' is a test`;
  if (!/\.\w+(\?\w+)?$/.test(target)) return `'${target}' lacks its ending`;
  const there = placeOf(target);
  if (!there) return `'${target}' lies in no slice`;
  if (there.runtime !== 'pure' && there.runtime !== here.runtime) {
    return `${here.runtime} may not use ${there.runtime} ('${target}')`;
  }
  if (there.rank > here.rank) return `imports point left only (${ORDER.join(' ← ')}): '${target}' stands to the right`;
  return undefined;
}

function packageFault(here: Place, { target, typeOnly }: Import): string | undefined {
  if (here.runtime === 'pure' && !PURE_PACKAGES.has(target)) return `a pure file may not use '${target}'`;
  if (here.runtime === 'server' && PAGE_PACKAGES.test(target)) return `the server may not use '${target}'`;
  if ((here.runtime === 'web' || here.runtime === 'worker') && !typeOnly && SERVER_PACKAGES.test(target)) {
    return `${here.runtime} may not use '${target}'`;
  }
  return undefined;
}

function zodFault(here: Place, { target, typeOnly }: Import, bearsZod: ReadonlySet<string>): string | undefined {
  if ((here.runtime !== 'web' && here.runtime !== 'worker') || typeOnly || !bearsZod.has(target)) return undefined;
  return `'${target}' brings zod to the browser: import its types only`;
}

/** The pure files which bring zod along, by themselves or through another. */
function zodBearers(sources: readonly Source[]): Set<string> {
  const bearers = new Set<string>();
  for (let before = -1; before !== bearers.size; ) {
    before = bearers.size;
    for (const { path, imports } of sources) {
      if (imports.some(({ target, typeOnly }) => !typeOnly && (target === 'zod' || bearers.has(target)))) {
        bearers.add(path);
      }
    }
  }
  return bearers;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** Nine of ten files are to be under 250 lines and nine of ten functions under 50: how it stands, in one line. */
export function describeSizes(sources: readonly Source[]): string {
  const functions = sources.flatMap((source) => source.functions);
  const longest = sources.reduce((a, b) => (b.lines > a.lines ? b : a), { path: 'none', lines: 0 });
  const share = (part: number, whole: number) => (whole === 0 ? 100 : Math.floor((part / whole) * 100));
  const files = share(sources.filter(({ lines }) => lines < 250).length, sources.length);
  const short = share(functions.filter(({ length }) => length < 50).length, functions.length);
  return `${files}% of ${sources.length} files under 250 lines, ${short}% of ${functions.length} functions under 50; the longest file is ${longest.path} with ${longest.lines}`;
}

if (import.meta.main) {
  const sources = readSources(root);
  const found = violations(sources);
  for (const { path, line, message } of found) console.log(`${path}:${line}: ${message}`);
  console.log(describeSizes(sources));
  if (found.length > 0) process.exitCode = 1;
}
