import { useState } from 'react';
import { formErrors } from '../../../base/form-errors.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { emailFault } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { EmailField } from '../email-field.tsx';
import { authApi } from '../queries.ts';
import { useAuthForm } from '../use-auth-form.ts';
import css from './mail.module.css';

interface SendForm {
  email: string;
}

/** Sends an invitation by mail (mail.screens.9). */
export function SendInvitation({ code }: { code: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { register, errors, isSending, form } = useAuthForm<SendForm, null>({
    begins: { email: '' },
    faults: ({ email }) => formErrors({ email: emailFault(email) }),
    send: ({ email }) => {
      setSentTo(null);
      return authApi('POST /api/auth/invitations/{code}/mail', { params: { code }, body: { email: email.trim() } });
    },
    onSuccess: (_, { email }, reset) => {
      reset();
      setSentTo(email.trim());
    },
    fields: ['email'],
  });
  return (
    <AuthForm {...form}>
      <EmailField
        label="Your partner’s email"
        autoComplete="off"
        error={errors.email?.message}
        {...register('email')}
      />
      <div>
        <Button type="submit" busy={isSending}>
          Send by e-mail
        </Button>
        <p role="status" className={`${css.said} aside`}>
          {sentTo !== null && (
            <>
              The invitation is on its way to <bdi>{sentTo}</bdi>.
            </>
          )}
        </p>
      </div>
    </AuthForm>
  );
}
