import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrors } from '../../base/form.ts';
import { verdictResolver } from '../../base/web/form.ts';
import { Banner } from '../../base/web/ui/banner.tsx';
import { Button } from '../../base/web/ui/button.tsx';
import { Fields, Form } from '../../base/web/ui/fields.tsx';
import { useNotify } from '../../base/web/ui/notices.tsx';
import { PasswordField } from '../../base/web/ui/password-field.tsx';
import { passwordFault } from '../rules.ts';
import { placeRefusal } from './account-form.ts';
import { authApi, sessionKeys } from './queries.ts';
import { useUser } from './session.ts';

interface PasswordForm {
  currentPassword: string;
  newPassword: string;
}

/** Another password; the user's other devices are signed out by it. */
export function PasswordForm() {
  const { email } = useUser();
  const queries = useQueryClient();
  const notify = useNotify();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError, reset } = useForm<PasswordForm>({
    mode: 'onTouched',
    resolver: verdictResolver((form) =>
      formErrors<PasswordForm>({
        currentPassword: form.currentPassword === '' ? 'Current password is required' : undefined,
        newPassword: passwordFault(form.newPassword, 'New password') ?? undefined,
      }),
    ),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const change = useMutation({
    mutationFn: (body: PasswordForm) => authApi('PUT /api/auth/password', { body }),
    onMutate: () => setRefusal(''),
    onSuccess: () => {
      reset();
      void queries.invalidateQueries({ queryKey: sessionKeys.devices });
      notify.status('Password changed. Your other devices are signed out.');
    },
    onError: (error) => setRefusal(placeRefusal(error, ['currentPassword', 'newPassword'], setError)),
  });
  const submit = handleSubmit((form) => (change.isPending ? undefined : change.mutate(form)));
  const { errors } = formState;
  return (
    <Form onSubmit={(event) => void submit(event)}>
      <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
      {/* Password managers want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Fields pair>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...register('currentPassword')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={errors.newPassword?.message}
          {...register('newPassword')}
        />
      </Fields>
      <div>
        <Button type="submit" busy={change.isPending}>
          Change Password
        </Button>
      </div>
    </Form>
  );
}
