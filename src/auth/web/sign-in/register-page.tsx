import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { SaveBar } from '../../../kit/web/forms/save-bar.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { Leaf } from '../../../kit/web/layout/leaf.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { Spread } from '../../../kit/web/layout/spread.tsx';
import { paths } from '../../../paths.ts';
import type { SignedIn } from '../../contract.ts';
import { type AccountForm, accountFaults, NO_ACCOUNT } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { ContinueWith } from '../oidc/continue-with.tsx';
import { useOidc } from '../oidc/use-oidc.ts';
import { authApi, useServerStatus } from '../queries.ts';
import { signInWith } from '../session/sign-in-with.ts';
import { useAuthForm } from '../use-auth-form.ts';
import { AccountFields } from './account-fields.tsx';
import { Cover } from './cover.tsx';
import css from './welcome.module.css';

/** `/auth/register`: the first page of an empty server. If registration is closed, it has no form. */
export default function RegisterPage() {
  const registration = useServerStatus();
  if (registration.data?.registration === 'closed') return <Closed />;
  return (
    <Spread parts className={css.bare} busy={registration.isPending}>
      <Leaf part="first">
        <h1 className="title title-cover">Our Love Story</h1>
        <p className="felt">
          Every story needs a first page. This one takes a minute, and then it belongs to the two of us.
        </p>
      </Leaf>
      <Leaf part="second">
        <Section title="Who are you?">
          <QueryContent
            query={registration}
            loading={<Loading message="Opening our album..." />}
            error={(error, retry) => <ErrorCard onRetry={retry}>{error.message}</ErrorCard>}
          >
            {({ needsSetupCode }) => <RegisterForm needsSetupCode={needsSetupCode} />}
          </QueryContent>
        </Section>
      </Leaf>
      <Leaf part="third">
        <Section title="How it begins">
          <ol className={css.steps}>
            <li>
              <b>You create our space.</b> It is empty and locked, and stays on our own server.
            </li>
            <li>
              <b>You send one link.</b> It works once, for one person: your partner.
            </li>
            <li>
              <b>We write down an idea.</b> Then it gets a day, and the day becomes a memory.
            </li>
          </ol>
        </Section>
      </Leaf>
    </Spread>
  );
}

function RegisterForm({ needsSetupCode }: { needsSetupCode: boolean }) {
  const oidc = useOidc();
  const { register, errors, isSending, form, watch } = useAuthForm<AccountForm, SignedIn>({
    begins: NO_ACCOUNT,
    faults: (values) => accountFaults(values, needsSetupCode),
    send: ({ setupCode, ...values }) =>
      authApi('POST /api/auth/register', {
        body: { ...values, timeZone: deviceZone(), ...(needsSetupCode && { setupCode: setupCode.trim() }) },
      }),
    onSuccess: signInWith,
    fields: ['displayName', 'email', 'password', 'setupCode'],
  });
  return (
    <AuthForm {...form}>
      <Fields>
        <AccountFields register={register} errors={errors} />
        {needsSetupCode && (
          <TextField
            label="Setup code"
            hint="The server printed it in its log"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.setupCode?.message}
            {...register('setupCode')}
          />
        )}
      </Fields>
      <SaveBar
        main={
          <Button type="submit" variant="primary" busy={isSending}>
            Create our space
          </Button>
        }
        apart={
          <ButtonLink variant="text" href={paths.signIn}>
            Sign in instead
          </ButtonLink>
        }
      />
      {oidc && (
        <ContinueWith
          name={oidc.name}
          visit={() => ({ intent: 'register', setupCode: needsSetupCode ? watch('setupCode').trim() : null })}
        />
      )}
    </AuthForm>
  );
}

function Closed() {
  return (
    <Cover title="Our Love Story" subtitle="This album already belongs to two people.">
      <h2>Registration is closed</h2>
      <p>
        New accounts can’t be created here. If this is your album too, ask your partner for an invitation, or sign in.
      </p>
      <ButtonLink variant="primary" wide href={paths.signIn}>
        Sign in
      </ButtonLink>
    </Cover>
  );
}
