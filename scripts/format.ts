import { commandOf, runShown } from './lib/run-program.ts';

/** `npm run format`: formats every file and sorts its imports. */
process.exitCode = await runShown(process.execPath, [commandOf('@biomejs/biome', 'biome'), 'check', '--write', '.']);
