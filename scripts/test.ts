import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks, type Tally } from './lib/checks.ts';
import { provision } from './lib/provision.ts';
import { commandOf, root, show } from './lib/tools.ts';

/**
 * `npm test`: everything. It installs what is missing, looks at the source, builds the page, and runs the tests, those
 * of the server on both engines and the journeys in Chromium. Its last line is `N passed, N failed`.
 *
 * `npm test -- src/ideas` runs the tests of some files alone.
 */

/** A part of vitest's JSON report. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly Assertion[] }[];
}

interface Assertion {
  readonly status: string;
  /** The titles of the groups and of the test. */
  readonly fullName: string;
}

/** Tests that mount a disk of their own say so in their title: not every machine lets its root do that. */
const WHERE_ROOT_ALLOWS = 'where root allows';

const filters = process.argv.slice(2);
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
let interrupted = false;
process.on('SIGINT', stop).on('SIGTERM', stop);

const missing = provision(process.env.TEST_S3_URL ? ['chromium'] : ['chromium', 'ceph']);
if (filters.length === 0) add(await runChecks());
if (!interrupted && !(await isBuilt())) add({ passed: 0, failed: 1, skipped: 0 });
await runProjects('tests', ['--project', '!journeys']);
if (missing.chromium === null) await runProjects('journeys', ['--project', 'journeys']);
else add({ passed: 0, failed: 1, skipped: 0 });
for (const advice of Object.values(missing)) if (advice !== null) console.log(advice);
if (process.env.CI && total.skipped > 0) {
  console.log('CI skips nothing.');
  total.failed += total.skipped;
}
if (interrupted) process.exit(130);
if (total.failed > 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);

function isBuilt(): Promise<boolean> {
  return show(process.execPath, [join(root, 'scripts/build.ts')]).then((code) => code === 0);
}

/** Runs some of vitest's projects and adds what came of them. */
async function runProjects(name: string, args: readonly string[]): Promise<void> {
  if (interrupted) return;
  const file = join(root, '.cache', `${name}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(file, { force: true });
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await show(process.execPath, [commandOf('vitest'), 'run', ...reports, ...args, ...filters]);
  const tally = readReport(file);
  // An error outside of any test fails the run, though no test has failed.
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  add(tally);
}

function readReport(file: string): Tally {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const excused = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .filter(({ fullName }) => fullName.includes(WHERE_ROOT_ALLOWS));
    if (excused.length > 0) console.log(`${excused.length} tests left out: no disk can be mounted here.`);
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests - excused.length,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function add({ passed, failed, skipped }: Tally): void {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

/** The part under way hears the signal too, and ends what it has started; nothing new begins. */
function stop(): void {
  interrupted = true;
}
