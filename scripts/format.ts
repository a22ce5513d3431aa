import { commandOf, show } from './lib/tools.ts';

/** `npm run format`: formats every file and sorts its imports. */
process.exitCode = await show(process.execPath, [commandOf('@biomejs/biome', 'biome'), 'check', '--write', '.']);
