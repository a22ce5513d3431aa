import { formErrors } from '../../../base/form-errors.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import type { User } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { emailFault, nameFault } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { EmailField } from '../email-field.tsx';
import { proof } from '../oidc/proof.ts';
import { authApi, useSendsMail } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { useAuthForm } from '../use-auth-form.ts';
import { OtherWaysToConfirm } from './other-ways-to-confirm.tsx';
import { useWaysToConfirm } from './use-ways-to-confirm.ts';

const SAVE = 'Save Names';

interface NamesValues {
  displayName: string;
  email: string;
  currentPassword: string;
}

/**
 * The form for the signed-in user's name and e-mail. Where the server sends mail, the user confirms another e-mail: links
 * for a new password go there (mail.screens.8).
 */
export function NameAndEmailForm() {
  const { displayName, email } = useUser();
  const { hasPassword, brought } = useWaysToConfirm();
  const sendsMail = useSendsMail();
  const notify = useNotify();
  const isChange = (typed: string) => emailKey(typed) !== emailKey(email);
  const { register, errors, isSending, form, watch, submitBy } = useAuthForm<NamesValues, User | null>({
    stored: { displayName, email, currentPassword: '' },
    faults: (values) => formErrors({ displayName: nameFault(values.displayName), email: emailFault(values.email) }),
    send: (values) => save(values, isChange(values.email) && !hasPassword ? brought?.value : undefined),
    onSuccess: (user, _, reset) => {
      // The user has cancelled the passkey, or the page is about to leave for the provider.
      if (user === null) return;
      reset({ displayName: user.displayName, email: user.email, currentPassword: '' });
      notify.status('Our names are saved');
    },
    fields: ['displayName', 'email', 'currentPassword'],
  });
  const confirms = (sendsMail && isChange(watch('email'))) || errors.currentPassword !== undefined;
  const isConfirmed = hasPassword || brought !== null;
  return (
    <AuthForm {...form}>
      <Fields pair>
        <TextField
          label="Your name"
          autoComplete="name"
          error={errors.displayName?.message}
          {...register('displayName')}
        />
        <EmailField autoComplete="email" error={errors.email?.message} {...register('email')} />
        {confirms && hasPassword && (
          <PasswordField
            label="Current password"
            hint="To change the email"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...register('currentPassword')}
          />
        )}
      </Fields>
      {confirms && !hasPassword && (
        <p>{brought ? 'You have confirmed that it is you.' : 'First confirm that it is you, to change the email.'}</p>
      )}
      <Actions>
        <Button type="submit" busy={isSending} disabled={confirms && !isConfirmed}>
          {SAVE}
        </Button>
        {confirms && (
          <OtherWaysToConfirm
            action={SAVE}
            isBusy={isSending}
            attempt={async (step) => submitBy(() => step().then(() => null))}
            onPasskey={() => submitBy(saveWithPasskey)}
          />
        )}
      </Actions>
    </AuthForm>
  );
}

async function save({ currentPassword, ...names }: NamesValues, oidcProof: string | undefined): Promise<User> {
  const body = { ...names, ...(currentPassword !== '' && { currentPassword }), ...(oidcProof && { oidcProof }) };
  const user = await authApi('PUT /api/auth/profile', { body }).finally(() => {
    // A proof counts once.
    if (oidcProof) proof.set(null);
  });
  return saved(user);
}

/** @returns null if the user cancelled */
async function saveWithPasskey({ displayName, email }: NamesValues): Promise<User | null> {
  const { requestAssertion } = await import('../passkeys/passkey-ceremonies.ts');
  const passkey = await requestAssertion();
  return passkey && saved(await authApi('PUT /api/auth/profile', { body: { displayName, email, passkey } }));
}

function saved(user: User): User {
  setUser(user);
  return user;
}
