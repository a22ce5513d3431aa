import type { FieldError, ProblemType } from './problem.ts';

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 503 | 507;

/** An expected error: an HTTP status, a readable message, and the invalid fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly errors: readonly FieldError[];
  /** Seconds until a retry makes sense, for 409, 429 and 503. */
  readonly retryAfter: number | undefined;
  /** What kind of problem it is, where a program must tell it from others with the same status. */
  readonly type: ProblemType;
  /** Whether the session of the request has ended by itself: the browser must then clear the photographs that it cached. */
  readonly hasEndedSession: boolean;

  constructor(
    status: RefusalStatus,
    message: string,
    more: { errors?: readonly FieldError[]; retryAfter?: number; hasEndedSession?: boolean; type?: ProblemType } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter;
    this.hasEndedSession = more.hasEndedSession ?? false;
    this.type = more.type ?? 'about:blank';
  }
}

/** A 400 for one invalid field, whose message is also the message of the whole reply. */
export function invalidField(field: string, message: string): Refusal {
  return new Refusal(400, message, { errors: [{ field, message }] });
}

/** A 401 for a call without a session, or with one that has ended. */
export function notSignedIn(more: { hasEndedSession?: boolean } = {}): Refusal {
  return new Refusal(401, 'Please sign in.', more);
}

/**
 * A 404 for what does not exist, and for what exists but must not be known to: another couple's, or the partner's secret.
 * @param what a noun that begins the message, such as 'Memory'
 */
export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`);
}
