/**
 * Serializes an error for the log: only type, message, stack, code, and causes. Drivers attach more, such as the values of
 * a rejected row or the headers of a request, which must not be logged.
 */
export function errorForLog(error: unknown): ErrorForLog {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an Error', stack: '' };
  const { name: type, message, stack = '', cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause === undefined ? {} : { cause: errorForLog(cause) }),
  };
}

interface ErrorForLog {
  readonly [more: string]: unknown;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}
