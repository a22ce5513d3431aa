import { formErrors } from '../../../base/form.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/fields.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import type { User } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { emailFault, nameFault } from '../account-form.ts';
import { canUsePasskeys } from '../passkeys/supports-passkeys.ts';
import { authApi, useSendsMail } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { AuthForm, useAuthForm } from '../use-auth-form.tsx';

interface NamesForm {
  displayName: string;
  email: string;
  currentPassword: string;
}

/**
 * The form for the signed-in user's name and e-mail. Where the server sends mail, another e-mail needs the password or a
 * passkey: links for a new password go there (mail.screens.8).
 */
export function NamesForm() {
  const { displayName, email, signIn } = useUser();
  const sendsMail = useSendsMail();
  const notify = useNotify();
  const { register, errors, isSending, form, watch, submitBy } = useAuthForm<NamesForm, User | null>({
    stored: { displayName, email, currentPassword: '' },
    faults: (values) => formErrors({ displayName: nameFault(values.displayName), email: emailFault(values.email) }),
    send: save,
    onSuccess: (user, _, reset) => {
      // The user has cancelled the passkey.
      if (user === null) return;
      reset({ displayName: user.displayName, email: user.email, currentPassword: '' });
      notify.status('Our names are saved');
    },
    fields: ['displayName', 'email', 'currentPassword'],
  });
  const isNewEmail = emailKey(watch('email')) !== emailKey(email);
  const asksPassword = (sendsMail && isNewEmail && signIn.password) || errors.currentPassword !== undefined;
  return (
    <AuthForm {...form}>
      <Fields pair>
        <TextField
          label="Your name"
          autoComplete="name"
          error={errors.displayName?.message}
          {...register('displayName')}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...register('email')}
        />
        {asksPassword && (
          <PasswordField
            label="Current password"
            hint="To change the email"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...register('currentPassword')}
          />
        )}
      </Fields>
      <Actions>
        <Button type="submit" busy={isSending}>
          Save Names
        </Button>
        {sendsMail && isNewEmail && signIn.passkeys > 0 && canUsePasskeys() && (
          <Button disabled={isSending} onClick={() => submitBy(saveWithPasskey)}>
            Use a passkey instead
          </Button>
        )}
      </Actions>
    </AuthForm>
  );
}

async function save({ currentPassword, ...names }: NamesForm): Promise<User> {
  const body = { ...names, ...(currentPassword !== '' && { currentPassword }) };
  return saved(await authApi('PUT /api/auth/profile', { body }));
}

/** @returns null if the user cancelled */
async function saveWithPasskey({ displayName, email }: NamesForm): Promise<User | null> {
  const { requestAssertion } = await import('../passkeys/make-passkey.ts');
  const passkey = await requestAssertion();
  return passkey && saved(await authApi('PUT /api/auth/profile', { body: { displayName, email, passkey } }));
}

function saved(user: User): User {
  setUser(user);
  return user;
}
