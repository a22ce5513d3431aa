import { commandOf, show } from './lib/tools.ts';

/** `npm run format`: lays out every file and sorts its imports. */
process.exitCode = await show(process.execPath, [commandOf('@biomejs/biome', 'biome'), 'check', '--write', '.']);
