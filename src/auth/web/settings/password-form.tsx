import { useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../../base/form-errors.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckField } from '../../../kit/web/forms/check-field.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { passwordFault } from '../../rules.ts';
import { AuthForm } from '../auth-form.tsx';
import { authApi, usePasskeys } from '../queries.ts';
import { useUser } from '../session/use-session.ts';
import { useAuthForm } from '../use-auth-form.ts';

interface PasswordForm {
  currentPassword: string;
  newPassword: string;
  removePasskeys: boolean;
}

/** The form to change the password. It ends what gave access with the old one, and can remove the passkeys. */
export function PasswordForm() {
  const { email } = useUser();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const { data: passkeys = [] } = usePasskeys();
  const { register, errors, isSending, form } = useAuthForm<PasswordForm, null>({
    begins: { currentPassword: '', newPassword: '', removePasskeys: false },
    faults: ({ currentPassword, newPassword }) =>
      formErrors({
        currentPassword: currentPassword === '' ? 'Current password is required' : undefined,
        newPassword: passwordFault(newPassword, 'New password') ?? undefined,
      }),
    send: (body) => authApi('PUT /api/auth/password', { body }),
    onSuccess: (_, { removePasskeys }, reset) => {
      reset();
      // The devices, the passkeys and the calendar link may have changed.
      void queryClient.invalidateQueries();
      const gone = removePasskeys ? ', and your passkeys are removed' : '';
      notify.status(`Password changed. Your other devices are signed out${gone}.`);
    },
    fields: ['currentPassword', 'newPassword'],
  });
  return (
    <AuthForm {...form}>
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
        <CheckField
          label={`Remove my ${passkeys.length === 1 ? 'passkey' : `${passkeys.length} passkeys`} too`}
          hint={passkeys.map(({ name }) => name).join(', ')}
          {...register('removePasskeys')}
        />
      )}
      <div>
        <Button type="submit" busy={isSending}>
          Change Password
        </Button>
      </div>
    </AuthForm>
  );
}
