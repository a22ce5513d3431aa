import { useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { formErrors } from '../../../base/form-errors.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { paths } from '../../../paths.ts';
import { emailFault } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { EmailField } from '../email-field.tsx';
import { authApi, useServerStatus } from '../queries.ts';
import { Cover } from '../sign-in/cover.tsx';
import { useAuthForm } from '../use-auth-form.ts';
import { typedEmail } from './typed-email.ts';

/** `/auth/forgot`: asks for the e-mail to which a link for a new password is mailed (mail.screens.1). */
export default function ForgotPage() {
  const search = useSearch();
  return (
    <Cover title="Forgot your password?" subtitle="A link lets you choose a new one.">
      <QueryContent
        query={useServerStatus()}
        loading={<Loading message="Opening our album..." size="small" />}
        error={(error, retry) => <ErrorCard onRetry={retry}>{error.message}</ErrorCard>}
      >
        {({ mail }) => (mail ? <AskForLink /> : <p>This server can’t mail you one.</p>)}
      </QueryContent>
      <p className="aside">Your partner can make you a link in Settings, and so can the person who runs this server.</p>
      <ButtonLink variant="text" wide href={paths.signIn + (search && `?${search}`)}>
        Back to sign in
      </ButtonLink>
    </Cover>
  );
}

interface ForgotForm {
  email: string;
}

/** The form, and after it what has happened: the same whether or not there is such an account. */
function AskForLink() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { register, errors, isSending, form } = useAuthForm<ForgotForm, null>({
    begins: { email: typedEmail() },
    faults: ({ email }) => formErrors({ email: emailFault(email) }),
    send: ({ email }) => authApi('POST /api/auth/recovery-mail', { body: { email: email.trim() } }),
    onSuccess: (_, { email }) => setSentTo(email.trim()),
    fields: ['email'],
  });
  if (sentTo !== null) return <Sent to={sentTo} onAgain={() => setSentTo(null)} />;
  return (
    <AuthForm {...form}>
      <Fields>
        <EmailField error={errors.email?.message} {...register('email')} />
        <Button type="submit" variant="primary" wide busy={isSending}>
          Send the link
        </Button>
      </Fields>
    </AuthForm>
  );
}

function Sent({ to, onAgain }: { to: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Check your email
      </h2>
      <p>
        If there is an account whose confirmed email is <bdi>{to}</bdi>, a link is on its way. It works once, for an
        hour.
      </p>
      <p>Nothing there after a few minutes? Look among the spam, or check the address.</p>
      <Button wide onClick={onAgain}>
        Change the email
      </Button>
    </>
  );
}
