import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { IncompatibleTables } from '../../base/server/db/compatibility.ts';
import { faultOf } from '../../base/server/db/faults.ts';
import { ConfigError, readConfig } from '../../base/server/process/config.ts';
import { lockDataDir } from '../../base/server/process/data-dir-lock.ts';
import { describeStorage } from '../../base/server/process/describe-storage.ts';
import { explainFault } from '../../base/server/process/explain-fault.ts';
import { type AppOptions, createApp, type ServerApp } from './app.ts';

/** The longest time that a shutdown waits, after draining, for requests in progress. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Starts the server with the configuration from the environment. Shuts down cleanly on SIGTERM and SIGINT. If it cannot
 * start, prints why and exits with 1.
 * @param options what tests change
 */
export async function run(options: AppOptions = {}): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

async function start(options: AppOptions): Promise<void> {
  const webRoot = join(import.meta.dirname, '../../../dist/web');
  const config = readConfig(process.env, existsSync(join(webRoot, 'index.html')) ? webRoot : null);
  const lock = lockDataDir(config);
  const app = await createApp(config, options);
  const url = await app.listen().catch(explainHost);
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    shutDown(app).then(
      () => {
        lock.release();
        process.exit(0);
      },
      (error: unknown) => {
        app.fastify.log.error({ err: error }, 'while stopping');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  app.fastify.log.info(describeStorage(config));
  process.stdout.write(`Our Love Story is ready at ${url}\n`);
  // Node would write it only at a clean exit.
  flushCompileCache();
}

/** When the server starts to listen, it is `HOST` that it looks up. */
function explainHost(error: unknown): never {
  if (faultOf(error) !== 'hostUnknown') throw error;
  throw new ConfigError('HOST is invalid: it must be an address to listen on');
}

async function shutDown(app: ServerApp): Promise<void> {
  await app.drain();
  // Aborts what is still running. Everything that was confirmed to a client is already stored.
  setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS).unref();
  await app.close();
}

/** Returns one line for errors that an operator can fix, and the stack trace for all others. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof IncompatibleTables) return error.message;
  const explained = explainFault(error);
  if (explained !== null) return explained;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
