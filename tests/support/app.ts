import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type App, type AppOptions, createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/config.ts';
import type { PasswordCost } from '../../src/base/server/deps.ts';
import { createTestStorage, type Engine, setS3Credentials, type TestStorage } from './engines.ts';

/** The page built by `npm run build`. */
export const BUILT_PAGE = join(import.meta.dirname, '../../dist/web');

/** A hundredth of the usual cost: most tests register couples, and few are about passwords. */
const CHEAP: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** A complete server in this process, on a free port and its own data. */
export interface TestApp extends App {
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
  const { env = {}, web = false, storage = await createTestStorage(engine), ...appOptions } = options;
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
