import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Redirect, useSearch } from 'wouter';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields, Form } from '../../../kit/web/forms/form.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { TextLink } from '../../../kit/web/layout/text-link.tsx';
import { paths } from '../../../paths.ts';
import { EmailField } from '../email-field.tsx';
import { keepTypedEmail } from '../mail/typed-email.ts';
import { useOidc } from '../oidc/use-oidc.ts';
import { canUsePasskeys } from '../passkeys/can-use-passkeys.ts';
import { authApi, useServerStatus } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { signInWith } from '../session/sign-in-with.ts';
import { Cover } from './cover.tsx';

/** Loaded only where the server has an OpenID provider. */
const ContinueWith = loadOnDemand(async () => (await import('../oidc/continue-with.tsx')).ContinueWith);

/** `/auth/login`. On an empty server it redirects to registration. */
export default function SignInPage() {
  const { registration, mail } = useServerStatus().data ?? {};
  const search = useSearch();
  if (registration === 'first') return <Redirect to={paths.register} replace />;
  return (
    <Cover title="Our Love Story" subtitle="For two people, and nobody else.">
      <h2 className="visually-hidden">Sign in</h2>
      <SignInForm />
      <p className="aside">
        {mail ? (
          <TextLink href={paths.forgot + (search && `?${search}`)}>Forgot your password?</TextLink>
        ) : (
          'Forgot your password? Your partner can make you a link in Settings, and so can the person who runs this server.'
        )}
      </p>
      {registration === 'open' && (
        <p className="aside">
          <TextLink href={paths.register}>Create our space</TextLink>
        </p>
      )}
    </Cover>
  );
}

/** Reads the fields from the DOM, because password managers fill them in without an event. */
function readFields(form: HTMLFormElement) {
  const value = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '';
  return { email: value('email').trim(), password: value('password') };
}

/** The error messages of missing fields, by name. */
type Missing = Partial<Record<'email' | 'password', string>>;

function SignInForm() {
  const oidc = useOidc();
  const [missing, setMissing] = useState<Missing>({});
  const login = useMutation({
    mutationFn: (body: { email: string; password: string }) => authApi('POST /api/auth/login', { body }),
    // The router then redirects to the page that the visitor wanted.
    onSuccess: signInWith,
  });
  const passkey = useMutation({
    mutationFn: async () => (await import('../passkeys/passkey-ceremonies.ts')).signInWithPasskey(),
    onSuccess: (signedIn) => signedIn && signInWith(signedIn),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget: form } = event;
    const { email, password } = readFields(form);
    const found: Missing = {
      ...(email === '' && { email: 'Email is required' }),
      ...(password === '' && { password: 'Password is required' }),
    };
    setMissing(found);
    const [first] = Object.keys(found);
    if (first !== undefined) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    else if (!login.isPending) login.mutate({ email, password });
  };
  return (
    <Form onSubmit={submit} onChange={({ currentTarget }) => keepTypedEmail(readFields(currentTarget).email)}>
      <Banner onDismiss={login.reset}>{login.error && refusalText(asApiError(login.error))}</Banner>
      <Banner onDismiss={passkey.reset}>{passkey.error && refusalText(asApiError(passkey.error))}</Banner>
      <Fields>
        <EmailField name="email" error={missing.email} />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={missing.password} />
        <Button type="submit" variant="primary" wide busy={login.isPending}>
          Sign in
        </Button>
        {oidc && (
          <ContinueWith
            name={oidc.name}
            visit={() => ({
              intent: 'sign-in',
              returnUrl: new URLSearchParams(location.search).get('returnUrl'),
            })}
          />
        )}
        {canUsePasskeys() && (
          <Button variant="text" wide busy={passkey.isPending} onClick={() => passkey.mutate()}>
            Use a passkey
          </Button>
        )}
      </Fields>
    </Form>
  );
}
