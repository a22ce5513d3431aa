import { createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/process/config.ts';

/** A server that kills itself at the step of storing a photograph that `DIE_AT` names. */
const app = await createApp(readConfig(process.env), {
  crashPoint: (name) => {
    if (name === process.env.DIE_AT) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`Our Love Story is ready at ${await app.listen()}\n`);
