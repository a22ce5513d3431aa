import type { DefaultValues, FieldValues, Path, UseFormReset } from 'react-hook-form';
import type { FormErrors } from '../../base/form-errors.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { useSubmitForm } from '../../kit/web/forms/use-submit-form.ts';
import { showRefusal } from './show-refusal.ts';

interface AuthFormOptions<Values extends FieldValues, Reply> {
  /** What the form begins with. */
  readonly begins?: DefaultValues<Values>;
  /** What is stored. A change made on another device updates the form, except fields that the user is editing. */
  readonly stored?: Values;
  /** The error messages of invalid fields. */
  readonly faults: (values: Values) => FormErrors<Values>;
  readonly send: (values: Values) => Promise<Reply>;
  /** Runs after a success, if the form is still on the screen. `reset` puts the form back to what it begins with, or to what is stored now. */
  readonly onSuccess: (reply: Reply, values: Values, reset: UseFormReset<Values>) => void;
  /** Runs after a refusal, besides showing it. */
  readonly onRefusal?: (error: ApiError) => void;
  /** The fields beside which the server's messages are shown. */
  readonly fields: readonly Path<Values>[];
}

/**
 * The state of a form of accounts and settings: a refusal stands beside the fields that it names, or else above the form.
 * Spread `form` into an `AuthForm`.
 */
export function useAuthForm<Values extends FieldValues, Reply>({
  begins,
  stored,
  faults,
  send,
  onSuccess,
  onRefusal,
  fields,
}: AuthFormOptions<Values, Reply>) {
  const { form, formProps, failure, dismiss, isSending, error, submitBy } = useSubmitForm<Values, Reply>({
    mode: 'onTouched',
    ...(begins && { defaultValues: begins }),
    ...(stored && { values: stored, resetOptions: { keepDirtyValues: true } }),
    faults,
    send,
    onSuccess: (reply, values, { reset }) => onSuccess(reply, values, reset),
    explain: (refused, { setError }) => {
      onRefusal?.(refused);
      return showRefusal(refused, fields, setError) || null;
    },
  });
  return {
    register: form.register,
    watch: form.watch,
    /** Sends the form in another way. */
    submitBy,
    errors: form.formState.errors,
    isSending,
    /** The refusal of the last submit. */
    error,
    form: { ...formProps, refusal: failure, onDismiss: dismiss },
  };
}
