import type { FastifyInstance } from 'fastify';
import { PASSWORD_COST } from '../../src/auth/server/sign-in/passwords.ts';
import type { Deps } from '../../src/base/server/deps.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { databaseId } from '../../src/base/server/files/store-identity.ts';
import { openLocalLive } from '../../src/base/server/live/local-live.ts';
import { readConfig } from '../../src/base/server/process/config.ts';

/** What a test server has of them. */
interface ServerData {
  readonly db: Deps['db'];
  readonly fastify: Pick<FastifyInstance, 'log'>;
  readonly storage: { readonly env: Readonly<Record<string, string>> };
}

/** The server's dependencies on a test server's data, for testing background jobs. */
export async function depsOf(app: ServerData, now: () => number = Date.now): Promise<Deps> {
  const config = readConfig(app.storage.env);
  const nothing = () => undefined;
  return {
    config,
    db: app.db,
    databaseId: await databaseId(app.db),
    files: await openFiles(config),
    live: openLocalLive(),
    now,
    crashPoint: nothing,
    print: nothing,
    randomInt: () => 0,
    registrations: Number.POSITIVE_INFINITY,
    passwordCost: PASSWORD_COST,
    log: app.fastify.log,
    announce: async () => undefined,
  };
}
