import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useParams } from 'wouter';
import { longDate } from '../../../base/time.ts';
import type { ApiError } from '../../../base/web/api.ts';
import { Async } from '../../../base/web/async.tsx';
import { verdictResolver } from '../../../base/web/form.ts';
import { deviceZone } from '../../../base/web/now.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { SaveBar } from '../../../kit/web/forms/save-bar.tsx';
import { Leaf, Page, Spread } from '../../../kit/web/layout/page.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { type AccountForm, accountFaults, showRefusal } from '../account-form.ts';
import { authApi, useInvitation } from '../queries.ts';
import { InvalidLink } from '../recovery/invalid-link.tsx';
import { markLinkShown } from '../recovery/opened-link.ts';
import { signInWith } from '../session/session.ts';
import { AccountFields } from '../sign-in/account-fields.tsx';
import css from '../sign-in/welcome.module.css';

/** `/auth/join/{code}` (contract 2): joins the couple's space with the partner's invitation. */
export default function JoinPage() {
  const { code = '' } = useParams();
  useEffect(markLinkShown, []);
  const invitation = useInvitation(code);
  const [invalid, setInvalid] = useState<ApiError | null>(null);
  if (invalid) return <InvalidLink error={invalid} what="invitation" />;
  return (
    <Async
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
    </Async>
  );
}

function JoinForm({ code, onInvalid }: { code: string; onInvalid: (error: ApiError) => void }) {
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError } = useForm<AccountForm>({
    mode: 'onTouched',
    resolver: verdictResolver((form) => accountFaults(form, false)),
    defaultValues: { displayName: '', email: '', password: '', setupCode: '' },
  });
  const join = useMutation<Awaited<ReturnType<typeof send>>, ApiError, AccountForm>({
    mutationFn: (form) => send(code, form),
    onMutate: () => setRefusal(''),
    onSuccess: signInWith,
    onError: (error) => {
      if (error.status === 404) onInvalid(error);
      else setRefusal(showRefusal(error, ['displayName', 'email', 'password'], setError));
    },
  });
  const submit = handleSubmit((form) => (join.isPending ? undefined : join.mutate(form)));
  return (
    <Form sending={join.isPending} onSubmit={(event) => void submit(event)}>
      <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
      <Fields>
        <AccountFields register={register} errors={formState.errors} />
      </Fields>
      <SaveBar
        main={
          <Button type="submit" variant="primary" busy={join.isPending}>
            Join
          </Button>
        }
      />
      <p className="aside">We both see everything in here. Nobody else does.</p>
    </Form>
  );
}

function send(code: string, { displayName, email, password }: AccountForm) {
  return authApi('POST /api/auth/join', { body: { code, displayName, email, password } });
}
