import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { cannotExceed, type FormErrors, formErrors, textFault } from '../../base/form.ts';
import { plural } from '../../base/text.ts';
import type { ApiError } from '../../base/web/api.ts';
import { asApiError } from '../../base/web/async.tsx';
import { authLimits, isEmail, passwordFault } from '../rules.ts';

/** What the server is told of a new partner, as it stands in the form. */
export interface AccountForm {
  displayName: string;
  email: string;
  password: string;
  setupCode: string;
}

/** What is wrong with a name (contract 2). */
export function nameFault(name: string): string | undefined {
  return textFault(name, {
    name: 'Name',
    required: true,
    max: cannotExceed('Name', authLimits.displayName),
  });
}

/** What is wrong with an e-mail (contract 2). */
export function emailFault(email: string): string | undefined {
  const max = cannotExceed('Email', authLimits.email);
  const fault = textFault(email, { name: 'Email', required: true, max });
  return fault ?? (isEmail(email.trim()) ? undefined : 'This is not an email address');
}

/** The verdict on a new partner's form; a setup code is asked for only where the server wants one. */
export function accountFaults(form: AccountForm, needsSetupCode: boolean): FormErrors<AccountForm> {
  return formErrors<AccountForm>({
    displayName: nameFault(form.displayName),
    email: emailFault(form.email),
    password: passwordFault(form.password) ?? undefined,
    setupCode: needsSetupCode && form.setupCode.trim() === '' ? 'Setup code is required' : undefined,
  });
}

/** What a refusal says to the person: after too many tries also how long to wait. */
export function refusalText(error: ApiError): string {
  if (error.status !== 429 || error.retryAfter === null) return error.message;
  const minutes = Math.max(1, Math.ceil(error.retryAfter / 60));
  return `Too many tries. Please wait ${plural(minutes, 'minute')}, then try again.`;
}

/**
 * Puts a refusal where it belongs: beside the fields it names, the first of which gets the focus; what names none of
 * the form's fields comes back as a text to be shown above it.
 */
export function placeRefusal<Form extends FieldValues>(
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
