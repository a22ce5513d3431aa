import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../refusal.ts';

const IDEMPOTENCY_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the request's `Idempotency-Key` in lower case; null without one.
 * @throws Refusal 400 if it isn't a UUID
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw new Refusal(400, 'Idempotency-Key must be a UUID.');
  return key.toLowerCase();
}
