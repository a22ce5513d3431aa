import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrors } from '../../../base/form.ts';
import { verdictResolver } from '../../../base/web/form.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckboxField } from '../../../kit/web/forms/check-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { passwordFault } from '../../rules.ts';
import { showRefusal } from '../account-form.ts';
import { authApi, usePasskeys } from '../queries.ts';
import { useUser } from '../session/use-session.ts';

interface PasswordForm {
  currentPassword: string;
  newPassword: string;
  removePasskeys: boolean;
}

/** The form to change the password. It ends what gave access with the old one, and can remove the passkeys. */
export function PasswordForm() {
  const { email } = useUser();
  const queries = useQueryClient();
  const notify = useNotify();
  const { data: passkeys = [] } = usePasskeys();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError, reset } = useForm<PasswordForm>({
    mode: 'onTouched',
    resolver: verdictResolver((form) =>
      formErrors<PasswordForm>({
        currentPassword: form.currentPassword === '' ? 'Current password is required' : undefined,
        newPassword: passwordFault(form.newPassword, 'New password') ?? undefined,
      }),
    ),
    defaultValues: { currentPassword: '', newPassword: '', removePasskeys: false },
  });
  const change = useMutation({
    mutationFn: (body: PasswordForm) => authApi('PUT /api/auth/password', { body }),
    onMutate: () => setRefusal(''),
    onSuccess: (_, { removePasskeys }) => {
      reset();
      // The devices, the passkeys and the calendar link may have changed.
      void queries.invalidateQueries();
      const gone = removePasskeys ? ', and your passkeys are removed' : '';
      notify.status(`Password changed. Your other devices are signed out${gone}.`);
    },
    onError: (error) => setRefusal(showRefusal(error, ['currentPassword', 'newPassword'], setError)),
  });
  const submit = handleSubmit((form) => (change.isPending ? undefined : change.mutate(form)));
  const { errors } = formState;
  return (
    <Form sending={change.isPending} onSubmit={(event) => void submit(event)}>
      <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
      {/* Password managers need the user name. */}
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
      {passkeys.length > 0 && (
        <CheckboxField
          label={`Remove my ${passkeys.length === 1 ? 'passkey' : `${passkeys.length} passkeys`} too`}
          hint={passkeys.map(({ name }) => name).join(', ')}
          {...register('removePasskeys')}
        />
      )}
      <div>
        <Button type="submit" busy={change.isPending}>
          Change Password
        </Button>
      </div>
    </Form>
  );
}
