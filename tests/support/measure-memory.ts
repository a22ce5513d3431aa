import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PICTURES = join(import.meta.dirname, '../../src/memories/server/pictures');

/**
 * Runs a script in a process of its own, so that its peak of memory is that of the script alone.
 * @param script the body of an async function; it may use all that `picture.ts` and `decode-memory.ts` export, sharp,
 *   and `paths`
 * @returns what the script returns, and by how many megabytes the process grew
 */
export async function measureMemory(
  script: string,
  ...paths: string[]
): Promise<{ answer: unknown; megabytes: number }> {
  const whole = `
    import sharp from 'sharp';
    import { inspectPhoto, makePreview } from ${JSON.stringify(join(PICTURES, 'picture.ts'))};
    import { decodeMemory } from ${JSON.stringify(join(PICTURES, 'decode-memory.ts'))};
    import { readFileSync } from 'node:fs';
    const paths = process.argv.slice(1);
    // Not resourceUsage(): on Linux it begins with the peak of the process that started this one.
    const peak = () => process.platform === 'linux'
      ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
      : process.resourceUsage().maxRSS * 1024;
    const before = process.memoryUsage.rss();
    const answer = await (async () => { ${script} })();
    console.log(JSON.stringify({ answer, megabytes: (peak() - before) / 1024 / 1024 }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', whole, ...paths]);
  return JSON.parse(stdout) as { answer: unknown; megabytes: number };
}
