import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import type { AuthServices } from '../auth-services.ts';

/**
 * Counts an e-mail that a user or an invited partner wants: the answer says whether somebody else has it.
 * @throws Refusal 429 after as many from this address as couples may register there
 */
export function countEmail({ rateLimits, deps }: AuthServices, { ip }: FastifyRequest): Promise<void> {
  return rateLimits.count('e-mail', ip, deps.registrations);
}

export function emailTaken(): Refusal {
  const message = 'This email is already in use.';
  return new Refusal(409, message, { errors: [{ field: 'email', message }] });
}
