import { useMutation } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { paths } from '../../../paths.ts';
import type { GivenConfirmation } from '../../confirmation.ts';
import { authApi } from '../queries.ts';
import { refetchUser } from '../session/refetch-user.ts';
import { useUser } from '../session/use-session.ts';
import { RuledLine, RuledList } from '../settings/ruled-list.tsx';
import { WithConfirmation } from '../settings/with-confirmation.tsx';
import { goToProvider } from './go-to-provider.ts';
import { useOidc } from './use-oidc.ts';

/** Connects the user's account at the OpenID provider, and removes it (openid.connecting.1). Nothing without a provider. */
export function OidcSettings() {
  const oidc = useOidc();
  const { signIn } = useUser();
  if (oidc === null) return null;
  return (
    <>
      <h3>
        <bdi>{oidc.name}</bdi>
      </h3>
      {signIn?.oidc ? <Connected name={oidc.name} /> : <Connect name={oidc.name} />}
    </>
  );
}

function Connect({ name }: { name: string }) {
  const connect = useMutation({
    mutationFn: async (confirmation: GivenConfirmation) => {
      await goToProvider({ intent: 'connect', returnUrl: paths.settings, ...confirmation });
      // The page is about to leave.
      return null;
    },
  });
  return (
    <WithConfirmation opens={`Connect ${name}`} does="Connect" icon={<Link2 />} work={connect}>
      You can sign in with your account at <bdi>{name}</bdi> too.
    </WithConfirmation>
  );
}

function Connected({ name }: { name: string }) {
  const notify = useNotify();
  const { signIn } = useUser();
  const remove = useMutation({
    mutationFn: async (body: GivenConfirmation) => {
      await authApi('DELETE /api/auth/oidc', { body });
      await refetchUser();
      notify.status(`${name} is removed`);
      return true;
    },
  });
  const isOnly = !signIn.password && signIn.passkeys === 0;
  return (
    <>
      <RuledList>
        <RuledLine icon={<Link2 />} title={<bdi>{name}</bdi>} meta="connected: you can sign in with it" />
      </RuledList>
      {isOnly ? (
        <p className="aside">This is your only way to sign in. Set a password or add a passkey to remove it.</p>
      ) : (
        <WithConfirmation danger opens={`Remove ${name}`} does="Remove" work={remove}>
          {null}
        </WithConfirmation>
      )}
    </>
  );
}
