import type { FastifyInstance } from 'fastify';
import { authLimits } from '../../auth/rules.ts';
import type { Config } from '../../base/server/config.ts';
import type { Db } from '../../base/server/db/db.ts';
import { openDb } from '../../base/server/db/open.ts';
import type { Deps } from '../../base/server/deps.ts';
import { sendProblem } from '../../base/server/errors.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { createHttp, type Timeouts } from '../../base/server/http.ts';
import { openLocalLive, openPostgresLive } from '../../base/server/live.ts';
import { freeClaims } from '../../base/server/replies.ts';
import { addHealth } from './health.ts';
import { addMetrics } from './metrics.ts';
import { addOpenApi } from './openapi.ts';
import { addPages } from './pages.ts';
import { serveSlices } from './slices.ts';

/** The whole server: what `main` starts, and what the tests start. */
export interface App {
  readonly fastify: FastifyInstance;
  readonly db: Db;
  /** Listens, and answers the address at which it is reached. */
  listen(): Promise<string>;
  /** Finishes what is under way, then lets everything go. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** The clock, in milliseconds; tests move it. */
  readonly now?: () => number;
  /** Told at each step of keeping a photograph; tests end the process there. */
  readonly step?: Deps['step'];
  /** Where the setup code is printed; tests read it. */
  readonly print?: Deps['print'];
  /** How many couples an address may register in 15 minutes; tests register more. */
  readonly registrations?: number;
  /** How long slow requests are borne; tests are less patient. */
  readonly timeouts?: Timeouts;
  /** Tells a push service on this machine too: on in tests. */
  readonly localPush?: boolean;
  /** Holds every answer against its contract: on in tests. */
  readonly checkReplies?: boolean;
}

/** Puts the server together. Nothing listens yet; the database and the photo store have answered. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const fastify = createHttp(config, options.timeouts);
  const { log } = fastify;
  const db = await openDb(config);
  await freeClaims(db);
  const live =
    config.databaseUrl === null
      ? openLocalLive()
      : await openPostgresLive(config.databaseUrl, (error) => log.error({ err: error }, 'live changes between nodes'));
  const deps: Deps = {
    config,
    db,
    files: await openFiles(config),
    live,
    now: options.now ?? Date.now,
    step: options.step ?? (() => undefined),
    print: options.print ?? ((text) => void process.stdout.write(text)),
    registrations: options.registrations ?? authLimits.registrations,
    localPush: options.localPush ?? false,
    log,
    announce: live.announce,
  };
  const metrics = await addMetrics(fastify, deps);
  addHealth(fastify, deps);
  addOpenApi(fastify);
  const slices = serveSlices(fastify, deps, options.checkReplies ?? false);
  fastify.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, { status: 404, message: 'There’s nothing at this address.' }),
  );
  if (config.webRoot !== null) await addPages(fastify, deps, config.webRoot);

  return {
    fastify,
    db,
    listen: async () => {
      await fastify.listen({ host: config.host, port: config.port });
      await slices.listening();
      return addressOf(fastify, config);
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
 * Waits for the requests under way. A connection whose last answer is just being sent is not idle yet when the server
 * closes, and would be kept open for more: so they are looked at again until none is left.
 */
async function closeHttp(fastify: FastifyInstance): Promise<void> {
  const again = setInterval(() => fastify.server.closeIdleConnections(), 50);
  try {
    await fastify.close();
  } finally {
    clearInterval(again);
  }
}

/** Where it is reached; `localhost` addresses as they were asked for, an IPv6 one in brackets. */
function addressOf(fastify: FastifyInstance, config: Config): string {
  const address = fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}
