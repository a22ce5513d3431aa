import { createApp } from '../../../src/app/server/app.ts';
import { readConfig } from '../../../src/base/server/process/config.ts';

/** A node that differs from the real one in one thing: it may send reminders to a push service on this machine. */
const app = await createApp(readConfig(process.env), { localPush: true });
process.stdout.write(`Our Love Story is ready at ${await app.listen()}\n`);
process.once('SIGTERM', () => {
  const stop = async () => {
    await app.drain();
    await app.close();
    process.exit(0);
  };
  void stop();
});
