import { useEffect } from 'react';
import { useLocation, useParams } from 'wouter';
import { formErrors } from '../../../base/form-errors.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckField } from '../../../kit/web/forms/check-field.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { paths } from '../../../paths.ts';
import { passwordFault } from '../../rules.ts';
import { AuthForm } from '../auth-form.tsx';
import { authApi } from '../queries.ts';
import { PASSWORD_HINT } from '../sign-in/account-fields.tsx';
import { Cover } from '../sign-in/cover.tsx';
import { useAuthForm } from '../use-auth-form.ts';
import { InvalidLink } from './invalid-link.tsx';
import { markLinkShown } from './unused-link.ts';

interface RecoverForm {
  newPassword: string;
  keepPasskeys: boolean;
}

/** `/auth/recover/{code}`: sets a new password with a link: of the partner, of the operator, or mailed. */
export default function RecoverPage() {
  const { code = '' } = useParams();
  useEffect(markLinkShown, []);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const { register, errors, isSending, error, form } = useAuthForm<RecoverForm, null>({
    begins: { newPassword: '', keepPasskeys: false },
    faults: ({ newPassword }) => formErrors({ newPassword: passwordFault(newPassword, 'New password') ?? undefined }),
    send: (body) => authApi('POST /api/auth/recovery/{code}', { params: { code }, body }),
    onSuccess: () => {
      notify.status('Your new password is saved. Please sign in with it.');
      navigate(paths.signIn, { replace: true });
    },
    fields: ['newPassword'],
  });
  if (error?.status === 404) return <InvalidLink error={error} what="link" />;
  return (
    <Cover title="Welcome back" subtitle="The door is open. Choose a new key.">
      <h2 className="visually-hidden">A new password</h2>
      <AuthForm {...form}>
        <Fields>
          <PasswordField
            label="New password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            error={errors.newPassword?.message}
            {...register('newPassword')}
          />
          <CheckField
            label="Keep my passkeys"
            hint="Otherwise they are removed, in case a lost device holds one."
            {...register('keepPasskeys')}
          />
          <Button type="submit" variant="primary" wide busy={isSending}>
            Save
          </Button>
        </Fields>
      </AuthForm>
      <p className="aside">This signs you out on all your devices. Then sign in with the new password.</p>
    </Cover>
  );
}
