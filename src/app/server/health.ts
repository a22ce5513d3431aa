import type { FastifyInstance } from 'fastify';
import { assertCompatible, IncompatibleTables } from '../../base/server/db/compatibility.ts';
import type { Migrations } from '../../base/server/db/migrations/migration.ts';
import type { Deps } from '../../base/server/deps.ts';
import { StoreUnavailable } from '../../base/server/files/files.ts';
import { assertOwnStore } from '../../base/server/files/store-identity.ts';
import { sendProblem } from '../../base/server/http/send-problem.ts';
import { OUTAGE_RETRY_S } from '../../base/server/http/to-refusal.ts';
import { appVersion } from './version.ts';

/**
 * Adds `GET /healthz` (liveness, with the version) and `GET /readyz` (503 unless database and photo store respond and belong
 * together). `/readyz` also answers 503 once `stopping` was called, and while a newer version has changed the tables so that
 * this one can't work with them.
 * @param known the migrations of this version
 */
export function addHealth(fastify: FastifyInstance, deps: Deps, known: Migrations): { stopping: () => void } {
  let isStopping = false;
  fastify.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: appVersion }),
  );
  fastify.get('/readyz', async (request, reply) => {
    if (isStopping) return sendProblem(reply, { status: 503, message: 'This server is stopping.', retryAfter: 5 });
    try {
      await Promise.all([assertCompatible(deps.db.read, known), deps.files.check()]);
      await assertOwnStore(deps);
      return await reply.header('cache-control', 'no-store').send({ status: 'ok' });
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return sendProblem(reply, {
        status: 503,
        message: isKnown(error) ? error.message : 'The database or the photo store is not responding.',
        retryAfter: OUTAGE_RETRY_S,
      });
    }
  });
  return {
    stopping: () => {
      isStopping = true;
    },
  };
}

/** Whether the error says what is wrong, in words for the operator. */
function isKnown(error: unknown): error is Error {
  return error instanceof IncompatibleTables || error instanceof StoreUnavailable;
}
