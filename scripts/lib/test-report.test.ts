import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './root.ts';
import { commandOf, runCaptured } from './run-program.ts';
import { lastLine, listSlowest, NOTHING, readReport, reportTo } from './test-report.ts';

/** A test that passes when it is run for the second time, one that always fails, and one that passes at once. */
const TESTS = `
  import { expect, it } from 'vitest';
  let runs = 0;
  it('is flaky', () => expect((runs += 1)).toBe(2));
  it('fails', { retry: 1 }, () => expect(1).toBe(2));
  it('passes', () => undefined);
`;

describe('a report', () => {
  let folder = '';
  beforeAll(async () => {
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/retries-'));
    await writeFile(join(folder, 'some.test.ts'), TESTS);
  });
  afterAll(() => rm(folder, { recursive: true }));
  /** Runs the tests and returns the report's path. */
  async function run(...options: string[]): Promise<string> {
    const file = join(folder, 'report.json');
    await runCaptured(process.execPath, [commandOf('vitest'), 'run', '--root', folder, ...reportTo(file), ...options]);
    return file;
  }

  it('counts the tests that were retried, by an option or by the test itself', {
    tags: ['running.repository.3'],
  }, async () => {
    expect(readReport(await run()).tally).toEqual({ passed: 1, failed: 2, skipped: 0, retried: 1 });
    expect(readReport(await run('--retry=2')).tally).toEqual({ passed: 2, failed: 1, skipped: 0, retried: 2 });
  });

  it('names the tests that failed, and a file that could not be loaded', {
    tags: ['running.repository.3'],
  }, async () => {
    await writeFile(join(folder, 'other.test.ts'), `throw new Error('not loaded');`);
    const named = readReport(await run()).failures.toSorted();
    expect(named.map((name) => name.replace(/^.*retries-[^/]+\//, ''))).toEqual([
      'other.test.ts: the file or one of its hooks',
      'some.test.ts: fails',
      'some.test.ts: is flaky',
    ]);
    expect(readReport(join(folder, 'missing.json')).failures).toEqual([]);
  });
});

it('the slowest tests are named with their times, the slowest one first', { tags: ['running.repository.3'] }, () => {
  const tests = [120, 65_432, 3_000].map((milliseconds) => ({ name: `takes ${milliseconds}`, milliseconds }));
  expect(listSlowest(tests, 2)).toEqual(['  65.4 s  takes 65432', '   3.0 s  takes 3000']);
});

it('the last line names skipped and retried tests only if there are any', { tags: ['running.repository.3'] }, () => {
  expect(lastLine({ ...NOTHING, passed: 3 })).toBe('3 passed, 0 failed');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2, retried: 0 })).toBe('3 passed, 1 failed, 2 skipped');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2, retried: 4 })).toBe('3 passed, 1 failed, 2 skipped, 4 retried');
});
