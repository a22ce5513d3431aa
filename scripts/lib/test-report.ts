import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.ts';

/** How many tests or checks passed, failed, were skipped, and were run again after a failure. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  retried: number;
}

/** A test with its file and its time in milliseconds. */
export interface TimedTest {
  readonly name: string;
  readonly milliseconds: number;
}

export const NOTHING: Readonly<Tally> = { passed: 0, failed: 0, skipped: 0, retried: 0 };

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    /** The path of its file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

interface Assertion {
  readonly status: string;
  /** The titles of its groups and its own. */
  readonly fullName: string;
  /** In milliseconds. Skipped tests have none. */
  readonly duration?: number;
  /** What `count-retries.ts` adds. */
  readonly meta: { readonly retries?: number };
}

/**
 * In the titles of tests that may be skipped: not every machine lets root mount a disk, boot systemd or become another user,
 * and Debian has no new kubectl.
 */
const MAY_BE_SKIPPED = /where root allows|where kubectl is installed/;

/** The arguments with which vitest writes a report to a file. */
export function reportTo(file: string): string[] {
  // Reporters run in this order.
  const retries = `--reporter=${join(import.meta.dirname, 'count-retries.ts')}`;
  return ['--reporter=default', retries, '--reporter=json', `--outputFile.json=${file}`];
}

/**
 * Reads a report: its tally, the names of the tests that failed, each after its file, the times of all tests, and how many
 * were excused, because this machine lacks a right of root or kubectl. A report that is missing or broken counts as a
 * failed test without a name.
 */
export function readReport(file: string): {
  readonly tally: Tally;
  readonly failures: readonly string[];
  readonly times: readonly TimedTest[];
  readonly excused: number;
} {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    const excused = tests
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .filter(({ fullName }) => MAY_BE_SKIPPED.test(fullName));
    const tally = {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests - excused.length,
      retried: tests.filter(({ meta: { retries = 0 } }) => retries > 0).length,
    };
    return {
      tally,
      failures: report.testResults.flatMap(failuresOf),
      times: report.testResults.flatMap(timesOf),
      excused: excused.length,
    };
  } catch {
    return { tally: { ...NOTHING, failed: 1 }, failures: [], times: [], excused: 0 };
  }
}

function failuresOf({ name, status, assertionResults }: Report['testResults'][number]): string[] {
  if (status !== 'failed') return [];
  const titles = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
  // A file fails without a test if it can't be loaded, or if one of its hooks fails.
  const named = titles.length > 0 ? titles : ['the file or one of its hooks'];
  return named.map((title) => `${relative(root, name)}: ${title}`);
}

function timesOf({ name, assertionResults }: Report['testResults'][number]): TimedTest[] {
  return assertionResults.map(({ fullName, duration = 0 }) => ({
    name: `${relative(root, name)}: ${fullName}`,
    milliseconds: duration,
  }));
}

/** The slowest tests in lines, the slowest one first: '12.3 s  tests/…: title'. */
export function listSlowest(tests: readonly TimedTest[], count: number): string[] {
  const slowest = tests.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, count);
  return slowest.map(({ name, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/** The last line of `npm test`. Skipped and retried tests are named only if there are any. */
export function lastLine({ passed, failed, skipped, retried }: Tally): string {
  const rest = [skipped > 0 ? `, ${skipped} skipped` : '', retried > 0 ? `, ${retried} retried` : ''];
  return `${passed} passed, ${failed} failed${rest.join('')}`;
}
