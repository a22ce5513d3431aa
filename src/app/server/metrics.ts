import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../base/server/bearer.ts';
import type { Deps } from '../../base/server/deps.ts';
import { sendProblem } from '../../base/server/errors.ts';
import { readFigures } from '../../keeping/server/integrity/integrity-figures.ts';

/** Seconds; photographs take the long ones. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * `GET /metrics` for Prometheus, to whoever shows `METRICS_TOKEN`; without that variable there is no such address, and
 * nothing is measured. Routes are named by their pattern: no address, id or text of anybody is in it.
 */
export async function addMetrics(fastify: FastifyInstance, deps: Deps): Promise<{ stop(): void }> {
  const { metricsToken } = deps.config;
  if (metricsToken === null) return { stop: () => undefined };
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('@prometheus-io/client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const answered = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long answers took, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name: `our_love_story_${name}`, help, registers });
  const photographs = gauge('photographs', 'Photographs, those in the trash too');
  const damaged = gauge('damaged_photographs', 'Photographs that are no longer as they were uploaded');
  const verified = gauge('backup_verified_timestamp_seconds', 'When the last verified backup was made; 0 for never');
  const failed = gauge('backup_failed', 'Whether the last try of a backup went wrong');
  const stopped = gauge('sweep_stopped', 'Whether the sweep deletes nothing until an operator has looked');
  const strays = gauge('stray_files', 'Stored files that belong to no memory');

  fastify.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    answered.observe(labels, reply.elapsedTime / 1000);
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!shows(request, metricsToken)) return refuse(reply);
    const figures = await readFigures(deps.db.read, deps.now());
    photographs.set(figures.photographs);
    damaged.set(figures.damaged);
    verified.set((figures.verifiedAt ?? 0) / 1000);
    failed.set(Number(figures.hasFailed));
    stopped.set(Number(figures.isSweepStopped));
    strays.set(figures.strays);
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  return { stop: () => registry.clear() };
}

function shows(request: FastifyRequest, token: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(bearerToken(request) ?? ''), digest(token));
}

function refuse(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, { status: 401, message: 'The token of the metrics is needed.' });
}
