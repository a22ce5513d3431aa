import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrors } from '../../../base/form.ts';
import { verdictResolver } from '../../../base/web/form.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { emailFault, nameFault, showRefusal } from '../account-form.ts';
import { authApi } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';

interface NamesForm {
  displayName: string;
  email: string;
}

/** The form for the signed-in user's name and e-mail. */
export function NamesForm() {
  const { displayName, email } = useUser();
  const notify = useNotify();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError, reset } = useForm<NamesForm>({
    mode: 'onTouched',
    resolver: verdictResolver((form) =>
      formErrors<NamesForm>({ displayName: nameFault(form.displayName), email: emailFault(form.email) }),
    ),
    // A change made on another device updates the form, except fields that the user is editing.
    values: { displayName, email },
    resetOptions: { keepDirtyValues: true },
  });
  const save = useMutation({
    mutationFn: (body: NamesForm) => authApi('PUT /api/auth/profile', { body }),
    onMutate: () => setRefusal(''),
    onSuccess: (user) => {
      setUser(user);
      reset({ displayName: user.displayName, email: user.email });
      notify.status('Our names are saved');
    },
    onError: (error) => setRefusal(showRefusal(error, ['displayName', 'email'], setError)),
  });
  const submit = handleSubmit((form) => (save.isPending ? undefined : save.mutate(form)));
  const { errors } = formState;
  return (
    <Form sending={save.isPending} onSubmit={(event) => void submit(event)}>
      <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
      <Fields pair>
        <TextField
          label="Your name"
          autoComplete="name"
          error={errors.displayName?.message}
          {...register('displayName')}
          defaultValue={formState.defaultValues?.displayName}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...register('email')}
          defaultValue={formState.defaultValues?.email}
        />
      </Fields>
      <div>
        <Button type="submit" busy={save.isPending}>
          Save Names
        </Button>
      </div>
    </Form>
  );
}
