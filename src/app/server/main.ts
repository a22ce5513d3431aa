import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../base/server/config.ts';
import { createApp } from './app.ts';

const STOP_WITHIN_MS = 10_000;

/** Starts the server by the variables, says so in one line, and stops cleanly when it is told to. */
async function main(): Promise<void> {
  const webRoot = join(import.meta.dirname, '../../../dist/web');
  const config = readConfig(process.env, existsSync(join(webRoot, 'index.html')) ? webRoot : null);
  const app = await createApp(config);
  const url = await app.listen();
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // What has not finished by then is cut; everything acknowledged is on the disk already.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.fastify.log.error({ err: error }, 'while stopping');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`Our Love Story is ready at ${url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});

/** One line for what a person can mend; the whole error for what only we can. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return 'The port is taken: something else listens there. Choose another with PORT.';
  if (code === 'EACCES' || code === 'EPERM') return `Not allowed: ${error instanceof Error ? error.message : code}`;
  if (code === 'ECONNREFUSED') return 'The database or the photo store can not be reached.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
