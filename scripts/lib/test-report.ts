import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './tools.ts';

/** How many tests or checks passed, failed, were skipped, and were run again after a failure. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  retried: number;
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
  /** What `count-retries.ts` adds. */
  readonly meta: { readonly retries?: number };
}

/** In the titles of tests that mount a disk. They may be skipped, because not every machine lets root do that. */
const MAY_BE_SKIPPED = 'where root allows';

/** The arguments with which vitest writes a report to a file. */
export function reportTo(file: string): string[] {
  // Reporters run in this order.
  const retries = `--reporter=${join(import.meta.dirname, 'count-retries.ts')}`;
  return ['--reporter=default', retries, '--reporter=json', `--outputFile.json=${file}`];
}

/** The names of the tests that failed, each after its file. None if the report is missing or broken. */
export function readFailures(file: string): string[] {
  try {
    return parse(file).testResults.flatMap(({ name, status, assertionResults }) => {
      if (status !== 'failed') return [];
      const titles = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
      // A file fails without a test if it can't be loaded, or if one of its hooks fails.
      return (titles.length > 0 ? titles : ['the file or one of its hooks']).map(
        (title) => `${relative(root, name)}: ${title}`,
      );
    });
  } catch {
    return [];
  }
}

/** Reads a report. One that is missing or broken counts as a failed test. */
export function readReport(file: string): Tally {
  try {
    const report = parse(file);
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    const excused = tests
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .filter(({ fullName }) => fullName.includes(MAY_BE_SKIPPED));
    if (excused.length > 0) console.log(`${excused.length} tests skipped: cannot mount a disk on this machine.`);
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests - excused.length,
      retried: tests.filter(({ meta: { retries = 0 } }) => retries > 0).length,
    };
  } catch {
    return { ...NOTHING, failed: 1 };
  }
}

function parse(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

/** The last line of `npm test`. Skipped and retried tests are named only if there are any. */
export function lastLine({ passed, failed, skipped, retried }: Tally): string {
  const rest = [skipped > 0 ? `, ${skipped} skipped` : '', retried > 0 ? `, ${retried} retried` : ''];
  return `${passed} passed, ${failed} failed${rest.join('')}`;
}
