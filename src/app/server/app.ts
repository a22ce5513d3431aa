import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { authLimits } from '../../auth/rules.ts';
import { PASSWORD_COST } from '../../auth/server/sign-in/passwords.ts';
import type { Db } from '../../base/server/db/db.ts';
import { migrations } from '../../base/server/db/migrations/index.ts';
import type { Migrations } from '../../base/server/db/migrations/migration.ts';
import { openDb } from '../../base/server/db/open.ts';
import type { Deps } from '../../base/server/deps.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { createPhotoStore, databaseId } from '../../base/server/files/store-identity.ts';
import { createHttp, type Timeouts } from '../../base/server/http/create-http.ts';
import { sendProblem } from '../../base/server/http/send-problem.ts';
import { openLocalLive } from '../../base/server/live/local-live.ts';
import { openPostgresLive } from '../../base/server/live/postgres-live.ts';
import { type Config, httpUrl } from '../../base/server/process/config.ts';
import { addHealth } from './health.ts';
import { addMetrics } from './metrics.ts';
import { addOpenApi } from './openapi.ts';
import { addPages } from './pages.ts';
import { serveSlices } from './slices.ts';

/** The whole server, as `main.ts` and the tests start it. */
export interface ServerApp {
  readonly fastify: FastifyInstance;
  readonly db: Db;
  /** Starts listening. Returns the URL of the server. */
  listen(): Promise<string>;
  /** Answers 503 on `/readyz` for `DRAIN_SECONDS`, so that a load balancer sends new requests to other nodes. */
  drain(): Promise<void>;
  /** Finishes requests and jobs in progress, then closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** Returns the current time in milliseconds; tests set it. */
  readonly now?: () => number;
  /** Called at each step of storing a photograph; tests crash the process there. */
  readonly crashPoint?: Deps['crashPoint'];
  /** Prints the setup code; tests read it. */
  readonly print?: Deps['print'];
  /** Returns a random integer from 0 to below `limit`; tests set it. */
  readonly randomInt?: Deps['randomInt'];
  /** How many couples an IP address may register in 15 minutes; tests raise it. */
  readonly registrations?: number;
  /** The cost of new passwords' hashes; tests lower it. No setting does. */
  readonly passwordCost?: Deps['passwordCost'] | undefined;
  /** Returns the timeouts for slow requests, from the usual ones; tests shorten them. */
  readonly timeouts?: (usual: Timeouts) => Timeouts;
  /** Whether push services on this machine are allowed; on in tests. */
  readonly localPush?: boolean;
  /** The migrations that this version knows; tests play older and newer versions. */
  readonly migrations?: Migrations;
  /** Whether background jobs run; tests that run a job themselves turn them off. */
  readonly hasJobs?: boolean;
  /** Whether every response is checked against its contract; on in tests. */
  readonly checkReplies?: boolean;
}

/** Creates the server and connects to the database and the photo store. Does not listen yet. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<ServerApp> {
  const fastify = createHttp(config, options.timeouts);
  const { log } = fastify;
  const known = options.migrations ?? migrations;
  const db = await openDb(config, known);
  const live =
    config.databaseUrl === null
      ? openLocalLive()
      : await openPostgresLive(config.databaseDirectUrl ?? config.databaseUrl, (error) =>
          log.error({ err: error }, 'live changes between nodes'),
        );
  const files = await openFiles(config);
  const now = options.now ?? Date.now;
  await createPhotoStore({ db, files, now });
  const deps: Deps = {
    config,
    db,
    databaseId: await databaseId(db),
    files,
    live,
    now,
    crashPoint: options.crashPoint ?? (() => undefined),
    print: options.print ?? ((text) => void process.stdout.write(text)),
    randomInt: options.randomInt ?? ((limit) => randomInt(limit)),
    registrations: options.registrations ?? authLimits.registrations,
    passwordCost: options.passwordCost ?? PASSWORD_COST,
    localPush: options.localPush ?? false,
    log,
    announce: live.announce,
  };
  const metrics = await addMetrics(fastify, deps);
  const health = addHealth(fastify, deps, known);
  addOpenApi(fastify);
  const { checkReplies = false, hasJobs = true } = options;
  const slices = serveSlices(fastify, deps, { checkReplies, hasJobs });
  fastify.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, { status: 404, message: 'There’s nothing at this address.' }),
  );
  if (config.webRoot !== null) await addPages(fastify, config.webRoot);

  return {
    fastify,
    db,
    listen: async () => {
      await fastify.listen({ host: config.host, port: config.port });
      await slices.listening();
      return addressOf(fastify, config);
    },
    drain: () => {
      health.stopping();
      return sleep(config.drainSeconds * 1000);
    },
    close: async () => {
      slices.closing();
      await closeHttp(fastify);
      await slices.stop();
      metrics.stop();
      await live.close();
      await db.close();
    },
  };
}

/**
 * Stops accepting connections and waits for the requests in progress. A connection that is still sending a response
 * when the server closes would stay open afterwards, so idle connections are closed repeatedly until none is left.
 */
async function closeHttp(fastify: FastifyInstance): Promise<void> {
  const timer = setInterval(() => fastify.server.closeIdleConnections(), 50);
  try {
    await fastify.close();
  } finally {
    clearInterval(timer);
  }
}

/**
 * The URL of the server, with the configured host and the actual port. If it listens on all addresses, the URL has the
 * first one at which another device in the network reaches it.
 */
function addressOf(fastify: FastifyInstance, config: Config): string {
  const address = fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const reachable = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  return httpUrl(isEverywhere ? (reachable ?? config.host) : config.host, port);
}
