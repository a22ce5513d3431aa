import { formErrors } from '../../../base/form.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/fields.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { emailFault, nameFault } from '../account-form.ts';
import { authApi } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { AuthForm, useAuthForm } from '../use-auth-form.tsx';

interface NamesForm {
  displayName: string;
  email: string;
}

/** The form for the signed-in user's name and e-mail. */
export function NamesForm() {
  const { displayName, email } = useUser();
  const notify = useNotify();
  const { register, errors, isSending, form } = useAuthForm<NamesForm, Awaited<ReturnType<typeof save>>>({
    stored: { displayName, email },
    faults: (values) => formErrors({ displayName: nameFault(values.displayName), email: emailFault(values.email) }),
    send: save,
    onSuccess: (user, _, reset) => {
      reset({ displayName: user.displayName, email: user.email });
      notify.status('Our names are saved');
    },
    fields: ['displayName', 'email'],
  });
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
      </Fields>
      <div>
        <Button type="submit" busy={isSending}>
          Save Names
        </Button>
      </div>
    </AuthForm>
  );
}

async function save(body: NamesForm) {
  const user = await authApi('PUT /api/auth/profile', { body });
  setUser(user);
  return user;
}
