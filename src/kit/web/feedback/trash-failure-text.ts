import { asApiError } from '../../../base/web/net/api-error.ts';

/**
 * Why an entry of the trash could not be put back or deleted for good.
 * @param text what to say if trying again may help
 */
export function trashFailureText(error: unknown, text: string): string {
  const { status, message } = asApiError(error);
  // The partner was faster.
  if (status === 404) return 'It is no longer in Recently deleted.';
  // The date is in the trash too, or has the same photo again.
  return status === 409 ? message : text;
}
