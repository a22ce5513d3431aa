import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';
import type { FormErrors } from '../../../base/form-errors.ts';
import { formResolver } from '../../../base/web/forms/form-resolver.ts';
import { refuseHalfTypedTimes } from '../../../base/web/forms/refuse-half-typed-times.ts';
import { type ApiError, asApiError } from '../../../base/web/net/api-error.ts';

export interface SubmitFormOptions<Values extends FieldValues, Reply> extends Omit<UseFormProps<Values>, 'resolver'> {
  /** The error messages of invalid fields. */
  readonly faults: (values: Values) => FormErrors<Values>;
  /** Saves the form. */
  readonly send: (values: Values) => Promise<Reply>;
  /** Runs after a success, if the form is still on the screen. What holds in any case belongs to `send`. */
  readonly onSuccess: (reply: Reply, values: Values, form: UseFormReturn<Values>) => void;
  /** The message for a failure. Null if it is shown in another way. */
  readonly explain: (error: ApiError, form: UseFormReturn<Values>) => string | null;
}

/**
 * The state of a form: its rules, and why the last submit failed. A failure keeps what was typed. A second submit is
 * ignored while the first one runs. Spread `formProps` into a `Form`, and show `failure` in its `Banner`.
 */
export function useSubmitForm<Values extends FieldValues, Reply>({
  faults,
  send,
  onSuccess,
  explain,
  ...options
}: SubmitFormOptions<Values, Reply>) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({ mode: 'all', ...options, resolver: refuseHalfTypedTimes(formResolver(faults)) });
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ values, by }: { values: Values; by: typeof send }) => by(values),
    onMutate: () => setFailure(null),
  });
  const submitBy = (by: typeof send) => {
    if (isPending) return;
    void form.handleSubmit((values) =>
      // These callbacks do not run once the form has left the screen: the user may be in another form by then.
      mutate(
        { values, by },
        {
          onSuccess: (reply) => onSuccess(reply, values, form),
          onError: (failed) => setFailure(explain(asApiError(failed), form)),
        },
      ),
    )();
  };
  return {
    form,
    failure,
    setFailure,
    dismiss: () => setFailure(null),
    isSending: isPending,
    /** The error of the last submit, if it failed. */
    error: error && asApiError(error),
    /** Sends the form in another way, or marks every invalid field. */
    submitBy,
    formProps: { sending: isPending, ...submitEvents(() => submitBy(send)) },
  };
}

/**
 * The events that submit a form. Browsers ignore Enter while the submit button is disabled, but an invalid submit has to
 * mark every field (ideas.form.5), so Enter is handled here.
 */
function submitEvents(submit: () => void) {
  return {
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      submit();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented) return;
      const isOneLine = target instanceof HTMLElement && target.dataset['line'] === 'one';
      if (!isOneLine && !(target instanceof HTMLInputElement && target.type !== 'checkbox')) return;
      event.preventDefault();
      submit();
    },
  };
}
