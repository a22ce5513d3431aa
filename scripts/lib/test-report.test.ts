import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastLine, NOTHING, readReport, reportTo } from './test-report.ts';
import { capture, commandOf, root } from './tools.ts';

/** A test that passes when it is run for the second time, one that always fails, and one that passes at once. */
const TESTS = `
  import { expect, it } from 'vitest';
  let runs = 0;
  it('is flaky', () => expect((runs += 1)).toBe(2));
  it('fails', { retry: 1 }, () => expect(1).toBe(2));
  it('passes', () => undefined);
`;

it('a report counts the tests that were retried, by an option or by the test itself', async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/retries-'));
  await writeFile(join(folder, 'some.test.ts'), TESTS);
  const run = async (...options: string[]) => {
    const file = join(folder, 'report.json');
    await capture(process.execPath, [commandOf('vitest'), 'run', '--root', folder, ...reportTo(file), ...options]);
    return readReport(file);
  };
  expect(await run()).toEqual({ passed: 1, failed: 2, skipped: 0, retried: 1 });
  expect(await run('--retry=2')).toEqual({ passed: 2, failed: 1, skipped: 0, retried: 2 });
  await rm(folder, { recursive: true });
});

it('the last line names skipped and retried tests only if there are any', () => {
  expect(lastLine({ ...NOTHING, passed: 3 })).toBe('3 passed, 0 failed');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2, retried: 0 })).toBe('3 passed, 1 failed, 2 skipped');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2, retried: 4 })).toBe('3 passed, 1 failed, 2 skipped, 4 retried');
});
