import { run } from '../../../src/app/server/run.ts';

// A node that differs from the real one in one thing: it sends push messages to services on this machine.
await run({ localPush: true });
