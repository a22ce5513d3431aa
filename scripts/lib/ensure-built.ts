import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isFresh, PARTS, type Part } from './build-stamp.ts';
import { root } from './root.ts';

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
