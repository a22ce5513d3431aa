import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type UseFormReset, useForm } from 'react-hook-form';
import type { FormErrors } from '../../base/form.ts';
import { verdictResolver } from '../../base/web/forms/form.ts';
import { withCompleteTimes } from '../../base/web/forms/with-complete-times.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Form } from '../../kit/web/forms/fields.tsx';
import { showRefusal } from './account-form.ts';

interface AuthFormOptions<Values extends FieldValues, Reply> {
  /** What the form begins with. */
  readonly begins?: DefaultValues<Values>;
  /** What is stored. A change made on another device updates the form, except fields that the user is editing. */
  readonly stored?: Values;
  /** The error messages of invalid fields. */
  readonly faults: (values: Values) => FormErrors<Values>;
  readonly send: (values: Values) => Promise<Reply>;
  /** Runs after a success. `reset` puts the form back to what it begins with, or to what is stored now. */
  readonly onSuccess: (reply: Reply, values: Values, reset: UseFormReset<Values>) => void;
  /** Runs after a refusal, besides showing it. */
  readonly onRefusal?: (error: ApiError) => void;
  /** The fields beside which the server's messages are shown. */
  readonly fields: readonly Path<Values>[];
}

/**
 * The state of a form of accounts and settings: its rules, and a refusal beside the fields that it names or else above
 * the form. A second submit is ignored while the first one runs. Spread `form` into an `AuthForm`.
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
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError, reset } = useForm<Values>({
    mode: 'onTouched',
    resolver: withCompleteTimes(verdictResolver(faults)),
    ...(begins && { defaultValues: begins }),
    ...(stored && { values: stored, resetOptions: { keepDirtyValues: true } }),
  });
  const sending = useMutation<Reply, ApiError, Values>({
    mutationFn: send,
    onMutate: () => setRefusal(''),
    onSuccess: (reply, values) => onSuccess(reply, values, reset),
    onError: (error) => {
      onRefusal?.(error);
      setRefusal(showRefusal(error, fields, setError));
    },
  });
  const submit = handleSubmit((values) => (sending.isPending ? undefined : sending.mutate(values)));
  return {
    register,
    errors: formState.errors,
    isSending: sending.isPending,
    /** The refusal of the last submit. */
    error: sending.error,
    form: {
      refusal,
      onDismiss: () => setRefusal(''),
      sending: sending.isPending,
      onSubmit: (event: FormEvent) => void submit(event),
    },
  };
}

interface AuthFormProps {
  readonly refusal: string;
  readonly onDismiss: () => void;
  readonly sending: boolean;
  readonly onSubmit: (event: FormEvent) => void;
  readonly children: ReactNode;
}

/** The form of a `useAuthForm`, with the refusal above its parts. */
export function AuthForm({ refusal, onDismiss, children, ...form }: AuthFormProps) {
  return (
    <Form {...form}>
      <Banner onDismiss={onDismiss}>{refusal}</Banner>
      {children}
    </Form>
  );
}
