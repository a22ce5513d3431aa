import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { cannotExceed, type FormErrors, formErrors, textFault } from '../../base/form.ts';
import { plural } from '../../base/text.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { authLimits, isEmail, passwordFault } from '../rules.ts';

/** The fields of the form for a new partner. */
export interface AccountForm {
  displayName: string;
  email: string;
  password: string;
  setupCode: string;
}

export const NO_ACCOUNT: AccountForm = { displayName: '', email: '', password: '', setupCode: '' };

/** The error message for a name, if any. */
export function nameFault(name: string): string | undefined {
  return textFault(name, {
    name: 'Name',
    required: true,
    max: cannotExceed('Name', authLimits.displayName),
  });
}

/** The error message for an e-mail, if any. */
export function emailFault(email: string): string | undefined {
  const max = cannotExceed('Email', authLimits.email);
  const fault = textFault(email, { name: 'Email', required: true, max });
  return fault ?? (isEmail(email.trim()) ? undefined : 'This is not an email address');
}

/** Validates the form of a new partner. The setup code is required only if the server asks for one. */
export function accountFaults(form: AccountForm, needsSetupCode: boolean): FormErrors<AccountForm> {
  return formErrors<AccountForm>({
    displayName: nameFault(form.displayName),
    email: emailFault(form.email),
    password: passwordFault(form.password) ?? undefined,
    setupCode: needsSetupCode && form.setupCode.trim() === '' ? 'Setup code is required' : undefined,
  });
}

/** The longest wait that is shown in minutes, in seconds. For longer ones the server has a text of its own. */
const TOLD_IN_MINUTES = 3600;

/** The text of a refusal. After too many attempts, it also says how long to wait. */
export function refusalText(error: ApiError): string {
  if (error.status !== 429 || error.retryAfter === null || error.retryAfter > TOLD_IN_MINUTES) return error.message;
  const minutes = Math.max(1, Math.ceil(error.retryAfter / 60));
  return `Too many attempts. Please wait ${plural(minutes, 'minute')}, then try again.`;
}

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
