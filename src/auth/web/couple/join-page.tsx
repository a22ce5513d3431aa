import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { longDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import type { ApiError } from '../../../base/web/net/api-error.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { SaveBar } from '../../../kit/web/forms/save-bar.tsx';
import { Leaf } from '../../../kit/web/layout/leaf.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { Spread } from '../../../kit/web/layout/spread.tsx';
import type { SignedIn } from '../../contract.ts';
import { type AccountForm, accountFaults, NO_ACCOUNT } from '../account-form.ts';
import { AuthForm } from '../auth-form.tsx';
import { ContinueWith } from '../oidc/continue-with.tsx';
import { useOidc } from '../oidc/use-oidc.ts';
import { authApi, useInvitation } from '../queries.ts';
import { InvalidLink } from '../recovery/invalid-link.tsx';
import { markLinkShown } from '../recovery/unused-link.ts';
import { signInWith } from '../session/sign-in-with.ts';
import { AccountFields } from '../sign-in/account-fields.tsx';
import css from '../sign-in/welcome.module.css';
import { useAuthForm } from '../use-auth-form.ts';

/** `/auth/join/{code}`: joins the couple's space with the partner's invitation. */
export default function JoinPage() {
  const { code = '' } = useParams();
  useEffect(markLinkShown, []);
  const invitation = useInvitation(code);
  const [invalid, setInvalid] = useState<ApiError | null>(null);
  if (invalid) return <InvalidLink error={invalid} what="invitation" />;
  return (
    <QueryContent
      query={invitation}
      loading={
        <Page busy>
          <Loading message="Opening the invitation..." />
        </Page>
      }
      error={(error, retry) => <InvalidLink error={error} what="invitation" onRetry={retry} />}
    >
      {({ inviterName, expiresAt }) => (
        <Spread className={css.bare}>
          <Leaf>
            <div className={css.invitation}>
              <p className={css.kind}>An invitation</p>
              <h1 className="title">
                <bdi>{inviterName}</bdi> invites you
              </h1>
              <p className="felt">to an album for two: what we want to do, what we did, and the photos to prove it.</p>
              <p className={`${css.until} aside num`}>
                Works once, until {longDate(Date.parse(expiresAt), deviceZone())}
              </p>
            </div>
          </Leaf>
          <Leaf>
            <Section title="Who are you?">
              <JoinForm code={code} onInvalid={setInvalid} />
            </Section>
          </Leaf>
        </Spread>
      )}
    </QueryContent>
  );
}

function JoinForm({ code, onInvalid }: { code: string; onInvalid: (error: ApiError) => void }) {
  const oidc = useOidc();
  const { register, errors, isSending, form } = useAuthForm<AccountForm, SignedIn>({
    begins: NO_ACCOUNT,
    faults: (values) => accountFaults(values, false),
    send: ({ displayName, email, password }) =>
      authApi('POST /api/auth/join', { body: { code, displayName, email, password } }),
    onSuccess: signInWith,
    onRefusal: (error) => error.status === 404 && onInvalid(error),
    fields: ['displayName', 'email', 'password'],
  });
  return (
    <AuthForm {...form}>
      <Fields>
        <AccountFields register={register} errors={errors} />
      </Fields>
      <SaveBar
        main={
          <Button type="submit" variant="primary" busy={isSending}>
            Join
          </Button>
        }
      />
      {oidc && <ContinueWith name={oidc.name} visit={() => ({ intent: 'join', code })} />}
      <p className="aside">We both see everything in here. Nobody else does.</p>
    </AuthForm>
  );
}
