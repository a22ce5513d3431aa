import { runChecks } from './lib/checks.ts';
import { commandOf } from './lib/tools.ts';

/** `npm run check`: the quick part of `npm test`, for every few minutes: the source itself, and what needs no server. */
const unit = {
  name: 'pure rules',
  args: [commandOf('vitest'), 'run', '--project', 'pure', '--project', 'house', '--reporter=dot'],
};
const { failed } = await runChecks([unit]);
if (failed > 0) process.exitCode = 1;
