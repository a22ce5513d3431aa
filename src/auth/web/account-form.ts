import { cannotExceed, type FormErrors, formErrors, textFault } from '../../base/form-errors.ts';
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
