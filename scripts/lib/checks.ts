import { join } from 'node:path';
import { capture, commandOf, root } from './tools.ts';

/** A part of `npm run check`: what it is called, and the command that fails where something is wrong. */
interface Check {
  readonly name: string;
  readonly args: readonly string[];
  /** Whether what it prints is worth a look though all is well. */
  readonly talks?: true;
}

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const script = (name: string) => join(root, 'scripts', `${name}.ts`);

const CHECKS: readonly Check[] = [
  { name: 'types', args: [commandOf('typescript', 'tsc'), '-b'] },
  { name: 'lint', args: [commandOf('oxlint'), '--type-aware', '--deny-warnings', '--format=unix'] },
  { name: 'layout', args: [commandOf('@biomejs/biome', 'biome'), 'check', '--colors=off', '.'] },
  { name: 'laws', args: [script('laws')], talks: true },
  { name: 'unused', args: [commandOf('knip'), '--no-progress'] },
  { name: 'licences', args: [script('licences')] },
];

/** Runs every check of the source, two at a time, and tells how each went. The answer is how many went well and ill. */
export async function runChecks(extra: readonly Check[] = []): Promise<Tally> {
  const queue = [...CHECKS, ...extra];
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      tally[(await runCheck(next)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all([work(), work()]);
  return tally;
}

async function runCheck({ name, args, talks }: Check): Promise<boolean> {
  const start = performance.now();
  const { code, output } = await capture(process.execPath, args);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)${talks && code === 0 ? `: ${output.trim()}` : ''}`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
