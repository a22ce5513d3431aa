export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 503 | 507;

/** What a refusal is called, as problem details have a `title` that does not change from case to case. */
export const TITLES: Readonly<Record<number, string>> = {
  400: 'Not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Not possible now',
  410: 'Gone',
  412: 'Changed meanwhile',
  413: 'Too large',
  414: 'Address too long',
  415: 'Kind not taken',
  422: 'Key used again',
  429: 'Too many tries',
  431: 'Headers too large',
  500: 'Something went wrong',
  503: 'Out of reach',
  507: 'Disk full',
};

/** The body of every error answer (RFC 9457, contract 1). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The same sentence as `detail`, for the first clients. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string;
}

/** An expected refusal: a status of contract 1, a sentence that a person can read, the fields to blame. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly errors: readonly FieldError[];
  /** Seconds after which to try again, with 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(
    status: RefusalStatus,
    message: string,
    more: { errors?: readonly FieldError[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter;
  }
}

/** The refusal of one field, 400: its message is also the sentence of the whole. */
export function refuseField(field: string, message: string): Refusal {
  return new Refusal(400, message, { errors: [{ field, message }] });
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`);
}

/** The title of a status, whatever it is. */
export function titleOf(status: number): string {
  return TITLES[status] ?? (status < 500 ? 'Not valid' : 'Something went wrong');
}
