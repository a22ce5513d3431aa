import { z } from 'zod';
import type { FieldError } from '../../problem.ts';
import { Refusal } from '../../refusal.ts';
import { type Fault, faultOf, isTransient } from '../db/faults.ts';
import { StoreUnavailable } from '../files/files.ts';

/** Seconds to wait before a retry while the database or photo store is down. */
export const OUTAGE_RETRY_S = 5;

/** Maps an error to the refusal that the client gets (durability.stored.6); null for an unexpected one. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return fromIssues(error);
  if (error instanceof StoreUnavailable) {
    return new Refusal(503, 'Our photos are unavailable for a moment. Please try again.', {
      retryAfter: OUTAGE_RETRY_S,
    });
  }
  const fault = faultOf(error);
  if (fault === 'diskFull') return new Refusal(507, 'Our disk is full. Nothing was saved; make room and try again.');
  if ((fault !== null && UNAVAILABLE.has(fault)) || isTransient(error)) {
    // It doesn't say that nothing was saved: the answer to COMMIT may be what was lost.
    return new Refusal(503, 'Our album is out of reach for a moment. Please try again.', {
      retryAfter: OUTAGE_RETRY_S,
    });
  }
  return null;
}

/** The faults that may end by themselves, or once an operator has seen to them. */
const UNAVAILABLE: ReadonlySet<Fault> = new Set<Fault>([
  'diskReadOnly',
  'diskFails',
  'databaseNotOpened',
  'databaseReadOnly',
  'databaseBusy',
  'hostUnknown',
  'unreachable',
]);

/** A 400 with the first message for each invalid field, in the schema's order. */
function fromIssues({ issues }: z.ZodError): Refusal {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (field !== '' && !errors.some((known) => known.field === field)) errors.push({ field, message: issue.message });
  }
  return new Refusal(400, errors.map((e) => e.message).join(' ') || 'The request is not valid.', { errors });
}
