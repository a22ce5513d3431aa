import { print, runCommand } from './lib/command.ts';
import { startLocalServices } from './lib/local-services.ts';

/**
 * `npm run engines`: runs an empty PostgreSQL and an empty S3 store until Ctrl-C, to try the app on. Prints the
 * environment variables with which `npm start` uses them.
 */
await runCommand(async () => {
  const { env, stop } = await startLocalServices();
  for (const [name, value] of Object.entries(env)) print(`export ${name}='${value}'`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
});
