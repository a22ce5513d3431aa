import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useId } from 'react';
import { mediumDate } from '../../../base/date-formats.ts';
import { timeSince } from '../../../base/relative-time.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import type { GivenConfirmation } from '../../confirmation.ts';
import type { Passkey } from '../../contract.ts';
import { authApi, sessionKeys, usePasskeys } from '../queries.ts';
import { refetchUser } from '../session/refetch-user.ts';
import { RuledLine, RuledList } from '../settings/ruled-list.tsx';
import { WithConfirmation } from '../settings/with-confirmation.tsx';
import { canUsePasskeys } from './can-use-passkeys.ts';

/** Settings for the user's passkeys: lists them with their last use, adds and removes them (accounts.passkeys.5). */
export function PasskeySettings() {
  const passkeys = usePasskeys();
  return (
    <>
      <h3>Passkeys</h3>
      <QueryContent
        query={passkeys}
        loading={<Loading message="Loading your passkeys..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load your passkeys. Please try again.
          </ErrorCard>
        )}
      >
        {(all) =>
          all.length > 0 ? (
            <RuledList>
              {all.map((passkey) => (
                <PasskeyLine key={passkey.id} passkey={passkey} />
              ))}
            </RuledList>
          ) : (
            <p>You can sign in with a fingerprint, your face or your phone’s PIN instead of your password.</p>
          )
        }
      </QueryContent>
      <AddPasskey />
    </>
  );
}

/** Adds a passkey after the user has confirmed it. */
function AddPasskey() {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: async (confirmation: GivenConfirmation) =>
      (await import('./passkey-ceremonies.ts')).makePasskey(confirmation),
    onSuccess: async (made) => {
      await Promise.all([queryClient.invalidateQueries({ queryKey: sessionKeys.passkeys }), refetchUser()]);
      if (made) notify.status('Passkey added');
    },
  });
  if (!canUsePasskeys()) return <p className="aside">Passkeys need HTTPS and a domain name, not an IP address.</p>;
  return (
    <WithConfirmation opens="Add a Passkey" does="Add" icon={<KeyRound />} work={add}>
      {null}
    </WithConfirmation>
  );
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const id = useId();
  const now = useNow();
  const notify = useNotify();
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => authApi('DELETE /api/auth/passkeys/{id}', { params: { id: passkey.id } }),
    onSuccess: () => notify.status('Passkey removed'),
    onError: (error) => {
      const { status, message } = asApiError(error);
      notify.alert(status === 409 ? message : 'Failed to remove the passkey. Please try again.');
    },
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: sessionKeys.passkeys }), refetchUser()]),
  });
  const ask = async () => {
    const sure = await confirm({
      question: 'Are you sure you want to remove this passkey?',
      detail: 'You can no longer sign in with it. Your other ways to sign in stay the same.',
      verb: 'Remove',
    });
    if (sure) remove.mutate();
  };
  const used = passkey.lastUsedAt;
  return (
    <RuledLine
      id={id}
      icon={<KeyRound />}
      title={passkey.name}
      meta={[
        `added ${mediumDate(Date.parse(passkey.createdAt), deviceZone())}`,
        used === null ? 'not used yet' : `last used ${timeSince(Date.parse(used), now)}`,
      ].join(' · ')}
      actions={
        <Button variant="text" aria-describedby={id} busy={remove.isPending} onClick={() => void ask()}>
          Remove
        </Button>
      }
    />
  );
}
