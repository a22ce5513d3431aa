/** One invalid field of a request: its name on the wire, and a message for the user. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The types of problems (RFC 9457). `about:blank` says no more than the status. */
export type ProblemType = 'about:blank' | 'suspended' | 'quota';

/** The body of every error answer (RFC 9457). */
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

/** The titles of the statuses. They do not vary between occurrences. */
const STATUS_TITLES: Readonly<Record<number, string>> = {
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

/** The titles of the types that say more than the status. */
const TYPE_TITLES: Readonly<Partial<Record<ProblemType, string>>> = {
  suspended: 'Space suspended',
  quota: 'Space full',
};

/** The `title` of a problem: that of its type, or of its status. */
export function problemTitle(status: number, type: ProblemType = 'about:blank'): string {
  return TYPE_TITLES[type] ?? STATUS_TITLES[status] ?? (status < 500 ? 'Bad request' : 'Something went wrong');
}
