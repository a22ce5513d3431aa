import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { describeTestDuration } from './lib/describe-test-duration.ts';
import { announceProvision, provision } from './lib/provision.ts';
import { root } from './lib/root.ts';
import { runChecks } from './lib/run-checks.ts';
import { commandOf, runCaptured, runShown, runShownLater } from './lib/run-program.ts';
import { lastLine, listSlowest, NOTHING, readReport, reportTo, type Tally, type TimedTest } from './lib/test-report.ts';

/**
 * `npm test`: says what is missing and installs it, checks the source, builds the page, and runs all tests: those of
 * databases and stores on both engines, and the journeys in Chromium, Firefox and WebKit. The last lines name the slowest
 * tests and what failed, and say `N passed, N failed`. In CI, a test that was skipped or retried fails the run.
 *
 * `npm test -- src/ideas` runs only the tests of these files.
 */

/** How many of the slowest tests are named at the end. */
const SLOWEST = 10;
/** Vitest's projects that need Chromium; in `operating` it opens the page behind the proxies. */
const NEED_CHROMIUM = ['components', 'operating', 'journeys'];
const filters = process.argv.slice(2);
const total: Tally = { ...NOTHING };
/** What failed, named again at the end: the reports are far above it. */
const failures: string[] = [];
const times: TimedTest[] = [];
let interrupted = false;
/** What was printed by tests that ran beside those being shown. */
const later: string[] = [];
process.on('SIGINT', stop).on('SIGTERM', stop);

const everywhere = ['chromium', 'firefox', 'webkit', 'proxies', 'operatorTools'] as const;
const needs = process.env.TEST_S3_URL ? everywhere : ([...everywhere, 'ceph', 'cluster'] as const);
announceProvision(needs);
if (filters.length === 0) console.log(describeTestDuration(availableParallelism()));
const missing = provision(needs);
const hasChromium = missing.chromium === null;
if (filters.length === 0) {
  const checks = await runChecks();
  add(checks);
  if (checks.failed > 0) failures.push('npm run check');
}
if (!interrupted && !(await isBuilt())) fail('npm run build');
await Promise.all([
  runProjects('tests', ['pure', 'house', 'server', ...(hasChromium ? ['components'] : [])]),
  // They mostly wait: the cluster for parts to be missed, the slow uploads for the next bytes.
  runBeside('cluster'),
  hasChromium && runBeside('operating'),
]);
for (const text of later) process.stdout.write(text);
if (hasChromium) await runProjects('journeys', ['journeys']);
else for (const project of NEED_CHROMIUM) if (await hasTests(project)) fail(`${project}: needs Chromium`);
for (const advice of Object.values(missing)) if (advice !== null) console.log(advice);
if (process.env.CI && total.skipped > 0) {
  console.log('CI must not skip tests.');
  total.failed += total.skipped;
}
if (process.env.CI && total.retried > 0) {
  console.log('CI must not retry tests.');
  process.exitCode = 1;
}
if (interrupted) process.exit(130);
if (total.failed > 0) process.exitCode = 1;
console.log(['The slowest tests:', ...listSlowest(times, SLOWEST)].join('\n'));
for (const failure of failures) console.log(`✗ ${failure}`);
console.log(lastLine(total));

function isBuilt(): Promise<boolean> {
  return runShown(process.execPath, [join(root, 'scripts/build.ts')]).then((code) => code === 0);
}

/** Runs some of vitest's projects and adds their results to the total. */
async function runProjects(name: string, projects: readonly string[]): Promise<void> {
  if (interrupted) return;
  const code = await runShown(process.execPath, vitest(name, projects));
  addReport(name, code);
}

/** Runs one of vitest's projects while another run is shown, adds its results to the total, and its output to `later`. */
async function runBeside(project: string): Promise<void> {
  if (interrupted) return;
  const { code, output } = await runShownLater(process.execPath, vitest(project, [project]));
  later.push(output);
  addReport(project, code);
}

/** The arguments with which Node runs some of vitest's projects and writes a report. */
function vitest(name: string, projects: readonly string[]): string[] {
  const file = reportOf(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const chosen = projects.flatMap((project) => ['--project', project]);
  return [commandOf('vitest'), 'run', ...reportTo(file), ...chosen, ...filters];
}

/** Whether one of vitest's projects has tests in the files that are asked for. */
async function hasTests(project: string): Promise<boolean> {
  const args = [commandOf('vitest'), 'list', '--filesOnly', '--project', project, ...filters];
  return (await runCaptured(process.execPath, args)).output.includes('.test.');
}

function reportOf(name: string): string {
  return join(root, '.cache', `${name}.json`);
}

function addReport(name: string, code: number): void {
  const { tally, failures: named, times: timed, excused } = readReport(reportOf(name));
  times.push(...timed);
  if (excused > 0) console.log(`Not run, because this machine lacks a right of root or kubectl: ${excused}`);
  // An error outside a test fails the run even if no test failed.
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  add(tally);
  failures.push(...(tally.failed > 0 && named.length === 0 ? [`${name}: failed outside a test`] : named));
}

/** Counts a failure that no test reports. */
function fail(what: string): void {
  add({ ...NOTHING, failed: 1 });
  failures.push(what);
}

function add({ passed, failed, skipped, retried }: Tally): void {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  total.retried += retried;
}

/** Starts nothing new. The running part receives the signal too and stops by itself. */
function stop(): void {
  interrupted = true;
}
