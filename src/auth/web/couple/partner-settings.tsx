import { useMutation } from '@tanstack/react-query';
import { Heart, RotateCw } from 'lucide-react';
import { longDate } from '../../../base/date-formats.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { LinkField } from '../../../kit/web/forms/link-field.tsx';
import { SendInvitation } from '../mail/send-invitation.tsx';
import { authApi, useSendsMail } from '../queries.ts';
import { MakePasswordLink } from '../recovery/make-password-link.tsx';
import { refusalText } from '../refusal-text.ts';
import { useUser } from '../session/use-session.ts';
import { RuledLine, RuledList } from '../settings/ruled-list.tsx';
import css from './partner-settings.module.css';

const noCode = () => <div className={css.place} />;
/** Loaded only for an invitation. */
const QrCode = loadOnDemand(() => import('./qr-code.tsx').then((module) => module.QrCode), {
  loading: noCode,
  failed: noCode,
});

/** Settings for the partner: an invitation, or a link for a new password once the partner has joined. */
export function PartnerSettings() {
  const { partner } = useUser();
  if (partner === null) return <Invite />;
  return (
    <>
      <RuledList>
        <RuledLine icon={<Heart />} title={<bdi>{partner.displayName}</bdi>} meta="sees and edits everything here" />
      </RuledList>
      <MakePasswordLink name={partner.displayName} />
    </>
  );
}

function Invite() {
  const sendsMail = useSendsMail();
  const invite = useMutation({ mutationFn: () => authApi('POST /api/auth/invitations') });
  return (
    <>
      <Banner onDismiss={invite.reset}>{invite.error && refusalText(asApiError(invite.error))}</Banner>
      {invite.data ? (
        <>
          <p>
            Nobody has joined yet. Have your partner scan this code, or send the link. It works once, until{' '}
            {longDate(Date.parse(invite.data.expiresAt), deviceZone())}.
          </p>
          <div className={css.invitation}>
            <QrCode text={invite.data.url} label="QR code of the invitation" />
            <div className={css.letters}>
              <LinkField label="Invitation link" url={invite.data.url} />
              {sendsMail && <SendInvitation key={invite.data.code} code={invite.data.code} />}
              {isLoopback(new URL(invite.data.url).hostname) && (
                <p>
                  This link opens on this computer only. For your partner’s phone, start the app with{' '}
                  <code>HOST=0.0.0.0 npm start</code>, open it at the address that it prints, and invite from there.
                </p>
              )}
              <div>
                <Button
                  variant="text"
                  flush
                  icon={<RotateCw />}
                  busy={invite.isPending}
                  onClick={() => invite.mutate()}
                >
                  Make a new invitation
                </Button>
                <p className="aside">Making a new link turns this one off.</p>
              </div>
            </div>
          </div>
        </>
      ) : (
        <>
          <p>Nobody has joined yet. Make a link and send it to your partner. It works once, for seven days.</p>
          <div>
            <Button variant="primary" busy={invite.isPending} onClick={() => invite.mutate()}>
              Invite
            </Button>
          </div>
        </>
      )}
    </>
  );
}
