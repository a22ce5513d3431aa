import type { FieldError, Problem, ProblemType } from '../../problem.ts';

/** An error response of the server, or the status 0 if no answer arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly FieldError[];
  /** The server's `Retry-After` in seconds. */
  readonly retryAfter: number | null;
  /** The server's message; null if it sent none and `message` is the client's own text. */
  readonly serverMessage: string | null;
  readonly type: ProblemType;

  constructor(
    status: number,
    message: string,
    errors: readonly FieldError[] = [],
    retryAfter: number | null = null,
    serverMessage: string | null = null,
    type: ProblemType = 'about:blank',
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.serverMessage = serverMessage;
    this.type = type;
  }

  /** Whether no answer arrived, such as without a connection. */
  get isUnanswered(): boolean {
    return this.status === 0;
  }

  /** Whether the server refused the call, so that certainly nothing was saved. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

/** Converts any error to an ApiError. Others get status 0 and keep their message. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, error instanceof Error ? error.message : 'Something went wrong. Please try again.');
}

/** The error of a call to which no answer arrived. */
export function unreachableError(): ApiError {
  return new ApiError(0, 'We could not reach our album. Please check the connection and try again.');
}

/** Reads the error of a response. Without a problem body it gets a generic message. */
export async function readApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    problem.message ?? 'Something went wrong. Please try again.',
    problem.errors ?? [],
    Number.isFinite(retryAfter) ? retryAfter : null,
    problem.message ?? null,
    problem.type,
  );
}
