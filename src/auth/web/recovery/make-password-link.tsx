import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { LinkField } from '../../../kit/web/forms/link-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { isRecoveryLinkUsable, recoveryLinkTime } from '../../recovery-link-time.ts';
import { authApi, sessionKeys } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { useUser } from '../session/use-session.ts';
import { useRecoveryLinks, useStopRecovery } from './use-recovery-links.ts';

/** The setting with which a user makes a link for the partner's new password. A link that stands can be stopped. */
export function MakePasswordLink({ name }: { name: string }) {
  const { id } = useUser();
  const now = useNow();
  const queryClient = useQueryClient();
  const { data: links = [] } = useRecoveryLinks();
  const stop = useStopRecovery();
  const make = useMutation({
    mutationFn: () => authApi('POST /api/auth/recovery'),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKeys.recovery }),
  });
  const standing = links.find(({ madeBy, expiresAt }) => madeBy === id && Date.parse(expiresAt) > now);
  return (
    <>
      <h3>
        <bdi>{name}</bdi> cannot sign in?
      </h3>
      <Banner onDismiss={make.reset}>{make.error && refusalText(asApiError(make.error))}</Banner>
      {standing ? (
        <>
          <p>
            Your link sets a new password for <bdi>{name}</bdi>, once. {whenItWorks(standing, now)}
          </p>
          {make.data && make.data.expiresAt >= standing.expiresAt && (
            <LinkField label="Link for a new password" url={make.data.url} />
          )}
        </>
      ) : (
        <p>
          You can make a link that lets <bdi>{name}</bdi> choose a new password. It works after 24 hours, or as soon as{' '}
          <bdi>{name}</bdi> agrees on a device that is still signed in. There, <bdi>{name}</bdi> can also stop it.
        </p>
      )}
      <Actions>
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          {standing ? 'Make a new link' : 'Make a link'}
        </Button>
        {standing && (
          <Button variant="text" busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
      </Actions>
    </>
  );
}

function whenItWorks({ usableAt, expiresAt }: { usableAt: string; expiresAt: string }, now: number): string {
  const at = (time: string) => recoveryLinkTime(Date.parse(time), deviceZone());
  if (isRecoveryLinkUsable(Date.parse(usableAt), now)) return `It works until ${at(expiresAt)}.`;
  return `It works from ${at(usableAt)}, for 24 hours.`;
}
