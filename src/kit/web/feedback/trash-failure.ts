import { asApiError } from '../../../base/web/async.tsx';

/** Why an entry of the trash could not be put back or deleted for good. Undefined if trying again may help. */
export function trashFailure(error: unknown): string | undefined {
  const { status, message } = asApiError(error);
  // The partner was faster.
  if (status === 404) return 'It is no longer in Recently deleted.';
  // The date is in the trash too, or has the same photo again.
  return status === 409 ? message : undefined;
}
