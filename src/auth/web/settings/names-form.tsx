import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../../../base/form.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/fields.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import type { User } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { emailFault, nameFault, refusalText } from '../account-form.ts';
import { confirmAtProvider, proof } from '../oidc/proof.ts';
import { canUsePasskeys } from '../passkeys/supports-passkeys.ts';
import { authApi, useSendsMail } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { AuthForm, useAuthForm } from '../use-auth-form.tsx';
import { useWays } from './other-ways.tsx';

/** The action that the user confirms at the OpenID provider. */
const CHANGE = 'Save Names';

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
  const { hasPassword, provider, brought } = useWays();
  const isNewEmail = emailKey(watch('email')) !== emailKey(email);
  const asksPassword = hasPassword && ((sendsMail && isNewEmail) || errors.currentPassword !== undefined);
  const confirm = useMutation({ mutationFn: () => confirmAtProvider(CHANGE) });
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
      <Banner onDismiss={confirm.reset}>{confirm.error && refusalText(asApiError(confirm.error))}</Banner>
      {sendsMail && isNewEmail && !hasPassword && provider && (
        <p>{brought ? 'You have confirmed that it is you.' : 'First confirm that it is you, then change the email.'}</p>
      )}
      <Actions>
        <Button type="submit" busy={isSending}>
          Save Names
        </Button>
        {sendsMail && isNewEmail && signIn.passkeys > 0 && canUsePasskeys() && (
          <Button disabled={isSending} onClick={() => submitBy(saveWithPasskey)}>
            Use a passkey instead
          </Button>
        )}
        {sendsMail && isNewEmail && !hasPassword && provider && !brought && (
          <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
            <span>
              Confirm with <bdi>{provider.name}</bdi>
            </span>
          </Button>
        )}
      </Actions>
    </AuthForm>
  );
}

async function save({ currentPassword, ...names }: NamesForm): Promise<User> {
  // It counts only for another e-mail, where the server sends mail. Whatever it was used for, it is used.
  const oidcProof = proof.get()?.value ?? null;
  proof.set(null);
  const body = { ...names, ...(currentPassword !== '' && { currentPassword }), oidcProof };
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
