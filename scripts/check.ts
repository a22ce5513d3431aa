import { runChecks } from './lib/run-checks.ts';
import { commandOf } from './lib/run-program.ts';

/** `npm run check`: the fast part of `npm test`: types, lint, format, laws, and the tests that need no server. */
const fastTests = {
  name: 'fast tests',
  args: [commandOf('vitest'), 'run', '--project', 'pure', '--project', 'house', '--reporter=dot'],
};
const { failed } = await runChecks([fastTests]);
if (failed > 0) process.exitCode = 1;
