/**
 * Serializes an error for the log: type, message and stack only. Drivers attach more, such as the values of a rejected
 * row or the headers of a request, which must not be logged.
 */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an Error', stack: '' };
  const { name: type, message, stack = '', cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause === undefined ? {} : { cause: plainError(cause) }),
  };
}

interface PlainError {
  readonly [more: string]: unknown;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}
