import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { asApiError } from '../../base/web/net/api-error.ts';
import { refusalText } from './refusal-text.ts';

/**
 * Shows the errors of a refusal beside the fields they name, and focuses the first one.
 * @returns the text to show above the form, or '' if a field shows the error
 */
export function showRefusal<Form extends FieldValues>(
  reason: unknown,
  fields: readonly Path<Form>[],
  setError: UseFormSetError<Form>,
): string {
  const error = asApiError(reason);
  const placed = error.errors.filter(({ field }) => fields.some((name) => name === field));
  placed.forEach(({ field, message }, index) =>
    setError(field as Path<Form>, { type: 'server', message }, { shouldFocus: index === 0 }),
  );
  return placed.length > 0 ? '' : refusalText(error);
}
