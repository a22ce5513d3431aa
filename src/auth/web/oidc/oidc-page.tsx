import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { formErrors } from '../../../base/form-errors.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { paths } from '../../../paths.ts';
import type { SignedIn } from '../../contract.ts';
import { ownPath } from '../../own-path.ts';
import { type AccountForm, emailFault, NO_ACCOUNT, nameFault } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { authApi } from '../queries.ts';
import { signInWith } from '../session/sign-in-with.ts';
import { useSession } from '../session/use-session.ts';
import { AccountFields } from '../sign-in/account-fields.tsx';
import { Cover } from '../sign-in/cover.tsx';
import { useAuthForm } from '../use-auth-form.ts';
import { ProblemPage } from './problem-page.tsx';

/**
 * `/auth/oidc`: where the way back from the OpenID provider ends. It goes on after a sign-in, asks a new user for a name
 * and an e-mail, or says what went wrong (openid.signin.3).
 */
export default function OidcPage() {
  const query = new URLSearchParams(useSearch());
  const isSignedIn = useSession().is === 'in';
  const problem = query.get('problem');
  const returnUrl = query.get('returnUrl');
  if (problem !== null) return <ProblemPage problem={problem} />;
  if (returnUrl === null) return isSignedIn ? <Redirect to={paths.home} replace /> : <Finish />;
  // The browser has not kept the cookie, or the session has ended since.
  if (!isSignedIn) return <ProblemPage problem="ended" />;
  return <GoOn to={ownPath(returnUrl) ?? paths.home} isConnected={query.has('connected')} />;
}

function GoOn({ to, isConnected }: { to: string; isConnected: boolean }) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  useEffect(() => {
    if (isConnected) notify.status('Connected. You can sign in with it from now on.');
    navigate(to, { replace: true });
  }, [to, isConnected, notify, navigate]);
  return null;
}

/** Asks who somebody is who has come back to register or to join. */
function Finish() {
  const arrival = useQuery({
    queryKey: ['session', 'openid arrival'],
    queryFn: () => authApi('GET /api/auth/oidc/finish'),
    // What is typed stays.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  if (arrival.error && 'status' in arrival.error && arrival.error.status === 404)
    return <ProblemPage problem="expired" />;
  return (
    <Cover title="Almost there" subtitle="How shall we call you?">
      <h2 className="visually-hidden">Who are you?</h2>
      <QueryContent
        query={arrival}
        loading={<Loading message="Opening our album..." />}
        error={(error, retry) => <ErrorCard onRetry={retry}>{error.message}</ErrorCard>}
      >
        {({ intent, displayName, email }) => (
          <FinishForm isJoining={intent === 'join'} begins={{ displayName: displayName ?? '', email: email ?? '' }} />
        )}
      </QueryContent>
    </Cover>
  );
}

interface FinishFormProps {
  readonly isJoining: boolean;
  readonly begins: Pick<AccountForm, 'displayName' | 'email'>;
}

function FinishForm({ isJoining, begins }: FinishFormProps) {
  const { register, errors, isSending, form } = useAuthForm<AccountForm, SignedIn>({
    begins: { ...NO_ACCOUNT, ...begins },
    faults: ({ displayName, email }) => formErrors({ displayName: nameFault(displayName), email: emailFault(email) }),
    send: ({ displayName, email }) =>
      authApi('POST /api/auth/oidc/finish', { body: { displayName, email, timeZone: deviceZone() } }),
    onSuccess: signInWith,
    fields: ['displayName', 'email'],
  });
  return (
    <AuthForm {...form}>
      <Fields>
        <AccountFields register={register} errors={errors} withoutPassword />
        <Button type="submit" variant="primary" wide busy={isSending}>
          {isJoining ? 'Join' : 'Create our space'}
        </Button>
      </Fields>
    </AuthForm>
  );
}
