export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 503 | 507;

/** The problem `title` for each status. It doesn't vary between occurrences (RFC 9457). */
export const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed in the meantime',
  413: 'Too large',
  414: 'URL too long',
  415: 'Unsupported media type',
  422: 'Idempotency-Key reused',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Something went wrong',
  503: 'Unavailable',
  507: 'Disk full',
};

/** The types of problems (RFC 9457). `about:blank` says no more than the status. */
export type ProblemType = 'about:blank' | 'suspended' | 'quota';

/** The body of every error answer. */
export interface Problem {
  readonly type: ProblemType;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The same text as `detail`, for the first clients. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string;
}

/** An expected error: an HTTP status, a readable message, and the invalid fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly errors: readonly FieldError[];
  /** Seconds until a retry makes sense, for 409, 429 and 503. */
  readonly retryAfter: number | undefined;
  /** What kind of problem it is, where a program must tell it from others with the same status. */
  readonly type: ProblemType;
  /** Whether the browser shall clear the photographs that it has cached: the session that loaded them is over. */
  readonly clearsCache: boolean;

  constructor(
    status: RefusalStatus,
    message: string,
    more: { errors?: readonly FieldError[]; retryAfter?: number; clearsCache?: boolean; type?: ProblemType } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter;
    this.clearsCache = more.clearsCache ?? false;
    this.type = more.type ?? 'about:blank';
  }
}

/** A 400 for one invalid field, whose message is also the message of the whole reply. */
export function refuseField(field: string, message: string): Refusal {
  return new Refusal(400, message, { errors: [{ field, message }] });
}

/** The refusal of a call without a session, or with one that has ended. */
export function notSignedIn(more: { clearsCache?: boolean } = {}): Refusal {
  return new Refusal(401, 'Please sign in.', more);
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`);
}

/** The titles of the types that say more than the status. */
const TYPE_TITLES: Readonly<Partial<Record<ProblemType, string>>> = {
  suspended: 'Space suspended',
  quota: 'Space full',
};

/** Returns the title of any status, or of a type of its own. */
export function statusTitle(status: number, type: ProblemType = 'about:blank'): string {
  return TYPE_TITLES[type] ?? TITLES[status] ?? (status < 500 ? 'Bad request' : 'Something went wrong');
}
