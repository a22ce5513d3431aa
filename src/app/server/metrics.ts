import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../base/server/deps.ts';
import { readDiskSpace } from '../../base/server/files/disk-space.ts';
import { findMismatch } from '../../base/server/files/store-identity.ts';
import { bearerToken } from '../../base/server/http/bearer-token.ts';
import { sendProblem } from '../../base/server/http/send-problem.ts';
import { readFigures } from '../../keeping/server/integrity/integrity-figures.ts';

/** Upper limits of the histogram, in seconds. Photographs need the long ones. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Adds `GET /metrics` for Prometheus, protected by `METRICS_TOKEN`. Without that variable the route does not exist and
 * nothing is measured. The labels contain route patterns, never ids, IP addresses, or personal data.
 */
export async function addMetrics(fastify: FastifyInstance, deps: Deps): Promise<{ stop(): void }> {
  const { metricsToken } = deps.config;
  if (metricsToken === null) return { stop: () => undefined };
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('@prometheus-io/client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of responses by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name: `our_love_story_${name}`, help, registers });
  const photographs = gauge('photographs', 'Photographs, including those in the trash');
  const damaged = gauge('damaged_photographs', 'Photographs whose files no longer match their upload');
  const verified = gauge('backup_verified_timestamp_seconds', 'Time of the last verified backup; 0 for never');
  const failed = gauge('backup_failed', 'Whether the last backup failed');
  const stopped = gauge(
    'sweep_stopped',
    'Whether the photo store is not the one of the database, so that no photograph is taken and nothing is deleted',
  );
  const orphanFiles = gauge('orphan_files', 'Stored files that no row names, as the last npm run orphans found');
  const orphanBytes = gauge('orphan_bytes', 'Bytes of the stored files that no row names');
  const ofDisk = (name: string, help: string) =>
    new Gauge({ name: `our_love_story_disk_${name}`, help, labelNames: ['place'] as const, registers });
  const diskFree = ofDisk('free_bytes', 'Free bytes of the disks that the server writes to');
  const diskSize = ofDisk('size_bytes', 'Bytes of the disks that the server writes to');

  fastify.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!hasToken(request, metricsToken)) return refuse(reply);
    const figures = await readFigures(deps.db.read);
    // While the store does not answer, the last state stays.
    const mismatch = await findMismatch(deps).catch(() => undefined);
    photographs.set(figures.photographs);
    damaged.set(figures.damaged);
    verified.set((figures.verifiedAt ?? 0) / 1000);
    failed.set(Number(figures.hasFailed));
    if (mismatch !== undefined) stopped.set(Number(mismatch !== null));
    orphanFiles.set(figures.orphans.files);
    orphanBytes.set(figures.orphans.bytes);
    for (const { place, freeBytes, sizeBytes } of await readDiskSpace(deps.config)) {
      diskFree.set({ place }, freeBytes);
      diskSize.set({ place }, sizeBytes);
    }
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  return { stop: () => registry.clear() };
}

function hasToken(request: FastifyRequest, token: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(bearerToken(request) ?? ''), digest(token));
}

function refuse(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, { status: 401, message: 'The metrics need their token.' });
}
