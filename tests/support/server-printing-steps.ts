import { createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/process/config.ts';

/** A server that prints each step of storing a photograph. */
const app = await createApp(readConfig(process.env), {
  crashPoint: (name) => void process.stdout.write(`step: ${name}\n`),
});
process.stdout.write(`Our Love Story is ready at ${await app.listen()}\n`);
