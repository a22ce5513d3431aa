import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { runChecks, type Tally } from './lib/checks.ts';
import { describeDuration } from './lib/installation-plan.ts';
import { announceProvision, provision } from './lib/provision.ts';
import { commandOf, root, show, showLater } from './lib/tools.ts';

/**
 * `npm test`: says what is missing and installs it, checks the source, builds the page, and runs all tests: those of the server on
 * both engines and the journeys in Chromium, Firefox and WebKit. The last line is `N passed, N failed`.
 *
 * `npm test -- src/ideas` runs only the tests of these files.
 */

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly Assertion[] }[];
}

interface Assertion {
  readonly status: string;
  /** The titles of its groups and its own. */
  readonly fullName: string;
}

/** In the titles of tests that mount a disk. They may be skipped, because not every machine lets root do that. */
const MAY_BE_SKIPPED = 'where root allows';

const filters = process.argv.slice(2);
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
let interrupted = false;
/** What was printed by tests that ran beside those being shown. */
const later: string[] = [];
process.on('SIGINT', stop).on('SIGTERM', stop);

const everywhere = ['chromium', 'firefox', 'webkit', 'doors'] as const;
const needs = process.env.TEST_S3_URL ? everywhere : ([...everywhere, 'ceph', 'cluster'] as const);
announceProvision(needs);
if (filters.length === 0) console.log(describeDuration(availableParallelism()));
const missing = provision(needs);
const hasChromium = missing.chromium === null;
if (filters.length === 0) add(await runChecks());
if (!interrupted && !(await isBuilt())) add({ passed: 0, failed: 1, skipped: 0 });
await Promise.all([
  runProjects('tests', ['pure', 'house', 'server']),
  // They mostly wait: the cluster for parts to be missed, the slow uploads for the next bytes.
  runBeside('cluster'),
  hasChromium && runBeside('doors'),
]);
for (const text of later) process.stdout.write(text);
if (hasChromium) await runProjects('journeys', ['journeys']);
else add({ passed: 0, failed: 1, skipped: 0 });
for (const advice of Object.values(missing)) if (advice !== null) console.log(advice);
if (process.env.CI && total.skipped > 0) {
  console.log('CI must not skip tests.');
  total.failed += total.skipped;
}
if (interrupted) process.exit(130);
if (total.failed > 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);

function isBuilt(): Promise<boolean> {
  return show(process.execPath, [join(root, 'scripts/build.ts')]).then((code) => code === 0);
}

/** Runs some of vitest's projects and adds their results to the total. */
async function runProjects(name: string, projects: readonly string[]): Promise<void> {
  if (interrupted) return;
  const code = await show(process.execPath, vitest(name, projects));
  addReport(name, code);
}

/** Runs one of vitest's projects while another run is shown, adds its results to the total, and its output to `later`. */
async function runBeside(project: string): Promise<void> {
  if (interrupted) return;
  const { code, output } = await showLater(process.execPath, vitest(project, [project]));
  later.push(output);
  addReport(project, code);
}

/** The arguments with which Node runs some of vitest's projects and writes a report. */
function vitest(name: string, projects: readonly string[]): string[] {
  const file = reportOf(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.flatMap((project) => ['--project', project]);
  return [commandOf('vitest'), 'run', ...reports, ...chosen, ...filters];
}

function reportOf(name: string): string {
  return join(root, '.cache', `${name}.json`);
}

function addReport(name: string, code: number): void {
  const tally = readReport(reportOf(name));
  // An error outside a test fails the run even if no test failed.
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
      .filter(({ fullName }) => fullName.includes(MAY_BE_SKIPPED));
    if (excused.length > 0) console.log(`${excused.length} tests skipped: cannot mount a disk on this machine.`);
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

/** Starts nothing new. The running part receives the signal too and stops by itself. */
function stop(): void {
  interrupted = true;
}
