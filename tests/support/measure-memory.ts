import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVER_ENV } from '../../scripts/lib/server-launch-settings.ts';

const PICTURES = join(import.meta.dirname, '../../src/memories/server/pictures');

/**
 * Measures the peak memory of a script in its own process.
 * @param script the body of an async function; it may use `inspectPhoto`, `makePreview`, `readPhotoStructure`,
 *   `bytesToDecode`, sharp, and `paths`
 * @returns what the script returns, and the growth of the process in megabytes
 */
export async function measureMemory(
  script: string,
  ...paths: string[]
): Promise<{ answer: unknown; megabytes: number }> {
  const source = `
    import sharp from 'sharp';
    import { inspectPhoto } from ${JSON.stringify(join(PICTURES, 'inspect-photo.ts'))};
    import { makePreview } from ${JSON.stringify(join(PICTURES, 'make-photo-variants.ts'))};
    import { readPhotoStructure } from ${JSON.stringify(join(PICTURES, 'read-photo-structure.ts'))};
    import { bytesToDecode } from ${JSON.stringify(join(PICTURES, 'decoding-bytes.ts'))};
    import { readFileSync } from 'node:fs';
    const paths = process.argv.slice(1);
    // Not resourceUsage(): on Linux it includes the peak of the parent process.
    const peak = () => process.platform === 'linux'
      ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
      : process.resourceUsage().maxRSS * 1024;
    const before = process.memoryUsage.rss();
    const answer = await (async () => { ${script} })();
    console.log(JSON.stringify({ answer, megabytes: (peak() - before) / 1024 / 1024 }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source, ...paths], {
    env: { ...process.env, NODE_COMPILE_CACHE: SERVER_ENV.NODE_COMPILE_CACHE },
  });
  return JSON.parse(stdout) as { answer: unknown; megabytes: number };
}
