import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation, useParams } from 'wouter';
import { formErrors } from '../../../base/form.ts';
import type { ApiError } from '../../../base/web/api.ts';
import { verdictResolver } from '../../../base/web/form.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckboxField } from '../../../kit/web/forms/check-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { paths } from '../../../paths.ts';
import { passwordFault } from '../../rules.ts';
import { showRefusal } from '../account-form.ts';
import { authApi } from '../queries.ts';
import { PASSWORD_HINT } from '../sign-in/account-fields.tsx';
import { Cover } from '../sign-in/cover.tsx';
import { InvalidLink } from './invalid-link.tsx';
import { markLinkShown } from './opened-link.ts';

interface RecoverForm {
  newPassword: string;
  keepPasskeys: boolean;
}

/** `/auth/recover/{code}` (contract 2): sets a new password with the link that the partner made. */
export default function RecoverPage() {
  const { code = '' } = useParams();
  useEffect(markLinkShown, []);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError } = useForm<RecoverForm>({
    mode: 'onTouched',
    resolver: verdictResolver((form) =>
      formErrors<RecoverForm>({ newPassword: passwordFault(form.newPassword, 'New password') ?? undefined }),
    ),
    defaultValues: { newPassword: '', keepPasskeys: false },
  });
  const save = useMutation<null, ApiError, RecoverForm>({
    mutationFn: (body) => authApi('POST /api/auth/recovery/{code}', { params: { code }, body }),
    onMutate: () => setRefusal(''),
    onSuccess: () => {
      notify.status('Your new password is saved. Please sign in with it.');
      navigate(paths.signIn, { replace: true });
    },
    onError: (error) => setRefusal(showRefusal(error, ['newPassword'], setError)),
  });
  if (save.error?.status === 404) return <InvalidLink error={save.error} what="link" />;
  const submit = handleSubmit((form) => (save.isPending ? undefined : save.mutate(form)));
  return (
    <Cover title="Welcome back" words="Your partner has opened the door. Choose a new key.">
      <h2 className="visually-hidden">A new password</h2>
      <Form sending={save.isPending} onSubmit={(event) => void submit(event)}>
        <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
        <Fields>
          <PasswordField
            label="New password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            error={formState.errors.newPassword?.message}
            {...register('newPassword')}
          />
          <CheckboxField
            label="Keep my passkeys"
            hint="Otherwise they are removed, in case a lost device holds one."
            {...register('keepPasskeys')}
          />
          <Button type="submit" variant="primary" wide busy={save.isPending}>
            Save
          </Button>
        </Fields>
      </Form>
      <p className="aside">This signs you out on all your devices. Then sign in with the new password.</p>
    </Cover>
  );
}
