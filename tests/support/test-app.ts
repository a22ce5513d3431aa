import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type AppOptions, createApp, type ServerApp } from '../../src/app/server/app.ts';
import type { PasswordCost } from '../../src/base/server/deps.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import type { Engine } from './engines.ts';
import { createMigratedStorage, setS3Credentials, type TestStorage } from './test-storage.ts';

/** The page built by `npm run build`. */
export const BUILT_PAGE = join(import.meta.dirname, '../../dist/web');

/** Far below the usual cost: most tests register couples, and few are about passwords. */
const CHEAP: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** By how much `TEST_SLOW` delays, in milliseconds. */
const SLOW_MS = 400;

/** A complete server in this process, on a free port and its own data. */
export interface TestApp extends ServerApp {
  /** Without a trailing slash. */
  readonly url: string;
  readonly storage: TestStorage;
  /** What it printed for the operator. */
  readonly printed: readonly string[];
}

export interface TestAppOptions extends AppOptions {
  /** Environment variables in addition to those of the storage: `{ REGISTRATION: 'first' }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to serve the page in `dist/web` too. It must be built. */
  readonly web?: boolean;
  /** Another server's storage, to share its data. `close` keeps it. */
  readonly storage?: TestStorage;
}

/**
 * Starts a server on empty data. Registration is open, passwords are cheap to hash, and every response is validated
 * against its contract. `close` stops the server and deletes its data.
 */
export async function startTestApp(engine: Engine, options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, web = false, storage = await createMigratedStorage(engine), ...appOptions } = options;
  setS3Credentials(storage);
  const variables = { REGISTRATION: 'open', LOG_LEVEL: 'silent', PORT: '0', ...storage.env, ...env };
  if (web && !existsSync(join(BUILT_PAGE, 'index.html'))) throw new Error('The page is not built: npm run build');
  const config = readConfig(variables, web ? BUILT_PAGE : null);
  const printed: string[] = [];
  const app = await createApp(config, {
    checkReplies: true,
    registrations: Number.POSITIVE_INFINITY,
    passwordCost: CHEAP,
    print: (text) => void printed.push(text),
    ...appOptions,
  });
  slowDown(app.fastify, process.env.TEST_SLOW);
  const url = await app.listen();
  return {
    ...app,
    url,
    storage,
    printed,
    close: async () => {
      await app.close();
      if (options.storage === undefined) await storage.remove();
    },
  };
}

/**
 * Delays what browsers ask, as a slow connection does: `TEST_SLOW=writes`, `TEST_SLOW=reads`, or `TEST_SLOW=all` with the
 * page's files, each by another time. It shows journeys and screens that only work if an answer comes quickly.
 */
function slowDown(fastify: FastifyInstance, what: string | undefined): void {
  if (!what) return;
  fastify.addHook('onRequest', async ({ method, url, headers }) => {
    if (!headers['user-agent']?.startsWith('Mozilla') || url.startsWith('/api/events')) return;
    const isRead = method === 'GET' || method === 'HEAD';
    const isSlow = what === 'all' || (what === 'reads' ? isRead && url.startsWith('/api/') : !isRead);
    if (isSlow) await setTimeout(what === 'all' ? Math.random() * SLOW_MS : SLOW_MS);
  });
}
