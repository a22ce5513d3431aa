import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../base/server/deps.ts';
import { OUTAGE_RETRY_S, sendProblem } from '../../base/server/errors.ts';

/**
 * Adds `GET /healthz` (liveness) and `GET /readyz` (503 unless database and photo store respond; contract 4). `/readyz`
 * also answers 503 once `stopping` was called.
 */
export function addHealth(fastify: FastifyInstance, deps: Deps): { stopping: () => void } {
  let isStopping = false;
  fastify.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  fastify.get('/readyz', async (request, reply) => {
    if (isStopping) return sendProblem(reply, { status: 503, message: 'This server is stopping.', retryAfter: 5 });
    try {
      await Promise.all([sql`select 1`.execute(deps.db.read), deps.files.check()]);
      return await reply.header('cache-control', 'no-store').send({ status: 'ok' });
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return sendProblem(reply, {
        status: 503,
        message: 'The database or the photo store is not responding.',
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
