import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import type { GivenConfirmation } from '../../confirmation.ts';
import { passwordFault } from '../../rules.ts';
import { authApi } from '../queries.ts';
import { refetchUser } from '../session/refetch-user.ts';
import { useUser } from '../session/use-session.ts';
import { PASSWORD_HINT } from '../sign-in/account-fields.tsx';
import { WithConfirmation } from './with-confirmation.tsx';

/** Sets the first password of an account that has none. */
export function FirstPassword() {
  const { email } = useUser();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [newPassword, setNewPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (confirmation: GivenConfirmation) => {
      await authApi('PUT /api/auth/password', { body: { newPassword, ...confirmation } });
      notify.status('Password saved. Your other devices are signed out.');
      void queryClient.invalidateQueries();
      await refetchUser();
      return true;
    },
  });
  const isValid = async () => {
    const found = passwordFault(newPassword, 'New password');
    setFault(found);
    return found === null;
  };
  return (
    <WithConfirmation
      opens="Set a Password"
      does="Save"
      work={save}
      asks={isValid}
      fields={
        <>
          {/* Password managers need the user name. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label="New password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            error={fault ?? undefined}
            value={newPassword}
            onChange={(event) => setNewPassword(event.target.value)}
          />
        </>
      }
    >
      You have no password yet. With one, you can sign in without another account or device.
    </WithConfirmation>
  );
}
