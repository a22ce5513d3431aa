import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type App, type AppOptions, createApp } from '../../src/app/server/app.ts';
import { readConfig } from '../../src/base/server/config.ts';
import { createTestStorage, type Engine, type TestStorage } from './engines.ts';

/** The page that `npm run build` made. */
export const BUILT_PAGE = join(import.meta.dirname, '../../dist/web');

/** A whole server in this process, listening on a free port, on data of its own. */
export interface TestApp extends App {
  /** Without a slash at its end. */
  readonly url: string;
  readonly storage: TestStorage;
  /** What it printed for whoever runs it. */
  readonly printed: readonly string[];
}

export interface TestAppOptions extends AppOptions {
  /** Variables besides those of the place: `{ REGISTRATION: 'first' }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The page in `dist/web` is served too; `npm run build` makes it. */
  readonly web?: boolean;
  /** Another server's place, to stand on the same data; it is left there on `close`. */
  readonly storage?: TestStorage;
}

/**
 * Starts a server on fresh data. Anybody may register, and every answer is held against its contract.
 * `close` ends it and takes its data away.
 */
export async function startTestApp(engine: Engine, options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, web = false, storage = await createTestStorage(engine), ...appOptions } = options;
  // The S3 client looks for its keys in the environment, as it does in production.
  for (const [name, value] of Object.entries(storage.env)) if (name.startsWith('AWS_')) process.env[name] = value;
  const variables = { REGISTRATION: 'open', LOG_LEVEL: 'silent', PORT: '0', ...storage.env, ...env };
  if (web && !existsSync(join(BUILT_PAGE, 'index.html'))) throw new Error('The page is not built: npm run build');
  const config = readConfig(variables, web ? BUILT_PAGE : null);
  const printed: string[] = [];
  const app = await createApp(config, {
    checkReplies: true,
    registrations: Number.POSITIVE_INFINITY,
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
