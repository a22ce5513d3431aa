import { join } from 'node:path';
import { root } from './root.ts';
import { commandOf, runCaptured } from './run-program.ts';
import { NOTHING, type Tally } from './test-report.ts';

/** One part of `npm run check`: its name, and a command that exits with an error when the check fails. */
interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

const script = (name: string) => join(root, 'scripts', `${name}.ts`);

const CHECKS: readonly Check[] = [
  { name: 'types', args: [commandOf('typescript', 'tsc'), '-b'] },
  { name: 'lint', args: [commandOf('oxlint'), '--type-aware', '--deny-warnings', '--format=unix'] },
  { name: 'format', args: [commandOf('@biomejs/biome', 'biome'), 'check', '--colors=off', '.'] },
  { name: 'laws', args: [script('laws')] },
  { name: 'unused', args: [commandOf('knip'), '--no-progress'] },
  // Without the tests: finds code that only tests use.
  { name: 'unused in production', args: [commandOf('knip'), '--no-progress', '--production', '--exclude=types'] },
  { name: 'licenses', args: [script('licenses')] },
];

/** Runs every check, two at a time, and prints how each went. Returns how many passed and failed. */
export async function runChecks(extra: readonly Check[] = []): Promise<Tally> {
  const queue = [...CHECKS, ...extra];
  const tally: Tally = { ...NOTHING };
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      tally[(await runCheck(next)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all([work(), work()]);
  return tally;
}

async function runCheck({ name, args }: Check): Promise<boolean> {
  const start = performance.now();
  const { code, output } = await runCaptured(process.execPath, args);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
